use std::env;

use tiny_http::{Response, Server};

fn main() {
    let port = env::var("PORT").unwrap_or_else(|_| "8080".to_string());
    let server = Server::http(format!("0.0.0.0:{port}")).expect("the port is free");
    for mut request in server.incoming_requests() {
        let mut body = String::new();
        let _ = request.as_reader().read_to_string(&mut body);
        let text = format!("{} {} {}", request.method(), request.url(), body);
        let _ = request.respond(Response::from_string(text));
    }
}
