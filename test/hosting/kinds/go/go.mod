module example.com/wedding

go 1.24

require github.com/go-chi/chi/v5 v5.5.0
