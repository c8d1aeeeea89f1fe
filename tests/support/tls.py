# SPDX-License-Identifier: Apache-2.0
"""A private authority and certificates of it, made by openssl.

	authority = tls.Authority(suite.temporary(test))
	authority.file                                   PEM of the authority
	certificate, key = authority.issue("server", "IP:127.0.0.1,DNS:localhost")
"""

import os

from support import command


class Authority:
	def __init__(self, folder, name="authority"):
		self.folder = folder
		self.file = os.path.join(folder, name + ".crt")
		self.key = os.path.join(folder, name + "-key.pem")
		command.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN=Test {name}",
			"-addext", "basicConstraints=critical,CA:true", "-addext", "keyUsage=critical,keyCertSign", "-keyout", self.key,
			"-out", self.file])

	def issue(self, name, names=None):
		"""Paths of a certificate, as NAME.cert, and of its key, as NAME.key; names is a subjectAltName."""
		certificate, key, request, extensions = (os.path.join(self.folder, name + end) for end in (".cert", ".key", ".csr", ".ext"))
		command.run(["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", key, "-out", request])
		with open(extensions, "w") as file:
			file.write("extendedKeyUsage=serverAuth,clientAuth\n")
			if names is not None:
				file.write(f"subjectAltName={names}\n")
		command.run(["openssl", "x509", "-req", "-in", request, "-CA", self.file, "-CAkey", self.key, "-CAcreateserial",
			"-days", "2", "-extfile", extensions, "-out", certificate])
		return certificate, key
