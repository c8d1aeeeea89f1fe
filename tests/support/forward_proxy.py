# SPDX-License-Identifier: Apache-2.0
"""A proxy for HTTP, as companies have them: whole URLs by GET, tunnels by CONNECT. Whatever name it is
asked for, it goes to one place on the loopback interface.

	proxy = ForwardProxy.start(test, port)
	environment["https_proxy"] = proxy.url
	proxy.asked                           ["CONNECT registry.example:443", "GET http://..."]
	proxy.refusal = 407                   from now on it refuses
"""

import http.client
import http.server
import socket
import threading

from support import suite

CHUNK = 65536


class ForwardProxy:
	def __init__(self, port):
		self.port = port
		self.asked = []
		self.refusal = None
		self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self))
		self.server.daemon_threads = True
		self.url = f"http://127.0.0.1:{self.server.server_port}"
		threading.Thread(target=self.server.serve_forever, daemon=True).start()

	@classmethod
	def start(cls, test, port):
		proxy = cls(port)
		suite.cleanup(test, proxy.stop)
		return proxy

	def stop(self):
		self.server.shutdown()
		self.server.server_close()


def pump(source, target):
	try:
		while data := source.recv(CHUNK):
			target.sendall(data)
	except OSError:
		pass
	finally:
		try:
			target.shutdown(socket.SHUT_WR)
		except OSError:
			pass


def handler_of(proxy):
	class Handler(http.server.BaseHTTPRequestHandler):
		protocol_version = "HTTP/1.1"

		def refused(self):
			proxy.asked.append(f"{self.command} {self.path}")
			if proxy.refusal is None:
				return False
			self.send_response(proxy.refusal)
			self.send_header("Content-Length", "0")
			self.end_headers()
			return True

		def do_CONNECT(self):
			if self.refused():
				return
			with socket.create_connection(("127.0.0.1", proxy.port)) as server:
				self.send_response(200)
				self.end_headers()
				back = threading.Thread(target=pump, args=(server, self.connection), daemon=True)
				back.start()
				pump(self.connection, server)
				back.join()
			self.close_connection = True

		def do_GET(self):
			if self.refused():
				return
			host, _, path = self.path.removeprefix("http://").partition("/")
			server = http.client.HTTPConnection("127.0.0.1", proxy.port)
			headers = {name: value for name, value in self.headers.items() if not name.lower().startswith("proxy-")}
			server.request("GET", "/" + path, headers={**headers, "Host": host})
			answer = server.getresponse()
			self.send_response(answer.status)
			for name, value in answer.getheaders():
				self.send_header(name, value)
			self.end_headers()
			while data := answer.read(CHUNK):
				self.wfile.write(data)
			server.close()

		def log_message(self, *_):
			pass

	return Handler
