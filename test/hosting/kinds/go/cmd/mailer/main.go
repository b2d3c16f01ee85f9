package main

import "fmt"

func main() {
	fmt.Println("nothing to mail")
}
