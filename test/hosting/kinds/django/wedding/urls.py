from django.contrib import admin
from django.contrib.auth.models import User
from django.http import JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt


@csrf_exempt
def guests(request):
    if request.method == "POST":
        User.objects.get_or_create(username=request.POST["name"])
    return JsonResponse({"guests": [user.username for user in User.objects.all()]})


urlpatterns = [path("admin/", admin.site.urls), path("guests", guests)]
