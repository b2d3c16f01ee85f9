from flask import Flask, request, url_for

app = Flask(__name__)


@app.get("/")
def home():
    return f'<link href="{url_for("static", filename="site.css")}">'


@app.post("/answers")
def answer():
    return f"Shalom {request.form['name']} by {request.scheme} from {request.url_root}"
