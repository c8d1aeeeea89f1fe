# SPDX-License-Identifier: Apache-2.0
"""A TCP proxy in front of a server, which cuts each connection after so many bytes of answers.

	proxy = CuttingProxy.start(test, port, 300000)
	proxy.port, proxy.cuts
"""

import socket
import threading

from support import suite


class CuttingProxy:
	def __init__(self, target, limit):
		self.target = target
		self.limit = limit  # bytes, from the server to the client
		self.cuts = 0
		self.listener = socket.create_server(("127.0.0.1", 0))
		self.port = self.listener.getsockname()[1]
		threading.Thread(target=self.accept, daemon=True).start()

	@classmethod
	def start(cls, test, target, limit):
		proxy = cls(target, limit)
		suite.cleanup(test, proxy.listener.close)
		return proxy

	def accept(self):
		while True:
			try:
				client, _ = self.listener.accept()
			except OSError:
				return
			server = socket.create_connection(("127.0.0.1", self.target))
			threading.Thread(target=self.requests, args=(client, server), daemon=True).start()
			threading.Thread(target=self.answers, args=(client, server), daemon=True).start()

	def requests(self, client, server):
		try:
			while data := client.recv(65536):
				server.sendall(data)
			server.shutdown(socket.SHUT_WR)
		except OSError:
			pass

	def answers(self, client, server):
		left = self.limit
		try:
			while left > 0 and (data := server.recv(min(65536, left))):
				left -= len(data)
				client.sendall(data)
		except OSError:
			pass
		self.cuts += left == 0
		for end in (client, server):
			try:
				end.shutdown(socket.SHUT_RDWR)
			except OSError:
				pass
			end.close()
