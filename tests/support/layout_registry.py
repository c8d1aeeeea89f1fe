# SPDX-License-Identifier: Apache-2.0
"""A registry that serves one OCI layout from disk, notes every request, and can be slow or broken.

	server = LayoutRegistry.start(test, layout)
	server.reference("latest")            "127.0.0.1:PORT/test/image:latest"
	server.requests                       [("GET", "/v2/test/image/blobs/sha256:...", 200), ...]
	server.bytes_per_second = 100000      from now on, for blobs
	server.cut[digest] = 1000             this blob's connection ends after 1000 bytes
	server.stop_at[digest] = 1000         this blob's sending calls at_stop() after 1000 bytes

It reads blobs from their files at each request and checks nothing: what is broken on disk is served
broken, under the digest that it had.
"""

import http.server
import json
import os
import threading
import time

from support import images, suite

CHUNK = 16384


class LayoutRegistry:
	def __init__(self, layout):
		self.layout = layout
		self.requests = []
		self.bytes_per_second = None
		self.cut = {}
		self.stop_at = {}
		self.sent = 0  # bytes of blobs
		self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self))
		self.server.daemon_threads = True
		threading.Thread(target=self.server.serve_forever, daemon=True).start()

	@classmethod
	def start(cls, test, layout):
		registry = cls(layout)
		suite.cleanup(test, registry.stop)
		return registry

	def stop(self):
		self.server.shutdown()
		self.server.server_close()

	def reference(self, name):
		"""name is a tag, or a digest with its algorithm."""
		return f"127.0.0.1:{self.server.server_port}/test/image{'@' if ':' in name else ':'}{name}"

	def before_blob(self, digest):
		"""Called when a blob was asked for and nothing of it is sent yet; for subclasses."""

	def before_send(self, digest, start):
		"""Called before a blob is sent from start on; for subclasses."""

	def at_stop(self):
		"""Called at a blob's stop_at; for subclasses."""

	def blob_requests(self):
		return [path for _, path, _ in self.requests if "/blobs/" in path]

	def manifest_type(self, digest):
		"""The media type that the layout's index, or else the blob itself, gives."""
		with open(images.blob(self.layout, digest), "rb") as file:
			try:
				return json.load(file).get("mediaType", "application/vnd.oci.image.manifest.v1+json")
			except (ValueError, AttributeError):
				return "application/vnd.oci.image.manifest.v1+json"


def handler_of(registry):
	class Handler(http.server.BaseHTTPRequestHandler):
		protocol_version = "HTTP/1.1"

		def do_GET(self):
			parts = self.path.split("/")
			if self.path.rstrip("/") == "/v2":
				self.answer(200, "application/json", b"{}")
			elif len(parts) > 4 and parts[-2] == "manifests":
				self.manifest(parts[-1])
			elif len(parts) > 4 and parts[-2] == "blobs" and os.path.exists(images.blob(registry.layout, parts[-1])):
				self.blob(parts[-1])
			else:
				self.refuse("BLOB_UNKNOWN")

		do_HEAD = do_GET

		def manifest(self, name):
			try:
				digest = name if ":" in name else images.manifest_digest(registry.layout, name)
				with open(images.blob(registry.layout, digest), "rb") as file:
					self.answer(200, registry.manifest_type(digest), file.read(), digest)
			except (KeyError, FileNotFoundError):
				self.refuse("MANIFEST_UNKNOWN")

		def blob(self, digest):
			registry.before_blob(digest)
			path = images.blob(registry.layout, digest)
			size = os.path.getsize(path)
			start = self.range_start(size)
			self.note(206 if start else 200)
			self.send_response(206 if start else 200)
			self.send_header("Content-Type", "application/octet-stream")
			self.send_header("Content-Length", str(size - start))
			if start:
				self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
			self.end_headers()
			if self.command == "GET":
				registry.before_send(digest, start)
				self.send_file(path, start, registry.cut.get(digest), registry.stop_at.get(digest))

		def range_start(self, size):
			value = self.headers.get("Range", "")
			if not value.startswith("bytes="):
				return 0
			start = value.removeprefix("bytes=").split("-")[0]
			return int(start) if start.isdigit() and int(start) < size else 0

		def send_file(self, path, start, limit, stop):
			with open(path, "rb") as file:
				file.seek(start)
				while chunk := file.read(CHUNK):
					if stop is not None and start + len(chunk) > stop:
						self.wfile.flush()
						registry.at_stop()
						stop = None
					if limit is not None and start + len(chunk) > limit:
						self.wfile.write(chunk[:max(0, limit - start)])
						self.close_connection = True
						return
					self.wfile.write(chunk)
					start += len(chunk)
					registry.sent += len(chunk)
					if registry.bytes_per_second:
						time.sleep(len(chunk) / registry.bytes_per_second)

		def answer(self, status, media_type, body, digest=None):
			self.note(status)
			self.send_response(status)
			self.send_header("Content-Type", media_type)
			self.send_header("Content-Length", str(len(body)))
			if digest is not None:
				self.send_header("Docker-Content-Digest", digest)
			self.end_headers()
			if self.command == "GET":
				self.wfile.write(body)

		def refuse(self, code):
			self.answer(404, "application/json", json.dumps({"errors": [{"code": code, "message": "no such thing here"}]}).encode())

		def note(self, status):
			registry.requests.append((self.command, self.path, status))

		def log_message(self, *_):
			pass

		def handle(self):
			try:
				super().handle()
			except ConnectionError:
				pass  # the client was killed, as some tests do

	return Handler
