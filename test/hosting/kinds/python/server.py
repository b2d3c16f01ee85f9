import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'<form method="post"><input name="name"></form>')

    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers['content-length'])).decode())
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"Shalom {form['name'][0]}".encode())


ThreadingHTTPServer(('', int(os.environ['PORT'])), Site).serve_forever()
