package main

import (
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/go-chi/chi/v5"
)

func main() {
	router := chi.NewRouter()
	router.Get("/guests/{name}", func(answer http.ResponseWriter, request *http.Request) {
		fmt.Fprint(answer, "Guest ", chi.URLParam(request, "name"))
	})
	router.Post("/answers", func(answer http.ResponseWriter, request *http.Request) {
		fmt.Fprint(answer, "Shalom ", request.FormValue("name"))
	})
	log.Fatal(http.ListenAndServe(":"+os.Getenv("PORT"), router))
}
