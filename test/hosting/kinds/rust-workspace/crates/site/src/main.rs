use axum::{extract::Path, routing::get, Router};

#[tokio::main]
async fn main() {
    let port = std::env::var("PORT").expect("PORT is set");
    let app = Router::new().route("/guests/{name}", get(|Path(name): Path<String>| async move { guests::greet(&name) }));
    let listener = tokio::net::TcpListener::bind(format!("0.0.0.0:{port}")).await.expect("the port is free");
    axum::serve(listener, app).await.expect("the server runs");
}
