pub fn greet(name: &str) -> String {
    format!("Guest {name}")
}
