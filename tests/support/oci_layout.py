# SPDX-License-Identifier: Apache-2.0
"""Writing small OCI layouts by hand, also such as no tool would write.

	image = oci_layout.Image(folder)
	image.add_layer(tar_bytes)                      gzip by default
	image.commit("latest")                          writes config, manifest and index.json
	with open(image.blob_path(digest), "r+b"): ...  breaks it afterwards

	oci_layout.tar([("etc/", None), ("etc/x", b"text")])
"""

import gzip
import hashlib
import io
import json
import os
import tarfile

OCI = "application/vnd.oci.image"


def sha256(data):
	return "sha256:" + hashlib.sha256(data).hexdigest()


def gzipped(data, level=9):
	"""gzip without a time in its header: the same bytes in every run."""
	return gzip.compress(data, level, mtime=0)


def tar(entries):
	"""A tar of (name, contents) and of tarfile.TarInfo; a name with a slash at its end is a folder."""
	stream = io.BytesIO()
	with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
		for entry in entries:
			info, contents = (entry, b"") if isinstance(entry, tarfile.TarInfo) else described(*entry)
			archive.addfile(info, io.BytesIO(contents))
	return stream.getvalue()


def described(name, contents):
	info = tarfile.TarInfo(name.rstrip("/"))
	info.mtime = 1_000_000_000
	if name.endswith("/"):
		info.type, info.mode = tarfile.DIRTYPE, 0o755
		return info, b""
	info.size = len(contents)
	return info, contents


class Image:
	def __init__(self, folder):
		self.folder = folder
		self.layers = []  # descriptors
		self.diff_ids = []
		os.makedirs(os.path.join(folder, "blobs", "sha256"))
		self.write("oci-layout", json.dumps({"imageLayoutVersion": "1.0.0"}).encode())
		self.write("index.json", json.dumps({"schemaVersion": 2, "manifests": []}).encode())

	def write(self, name, data):
		with open(os.path.join(self.folder, name), "wb") as file:
			file.write(data)

	def blob_path(self, digest):
		return os.path.join(self.folder, "blobs", *digest.split(":"))

	def add_blob(self, data, media_type):
		digest = sha256(data)
		self.write(os.path.join("blobs", *digest.split(":")), data)
		return {"mediaType": media_type, "digest": digest, "size": len(data)}

	def add_layer(self, tar_bytes, diff_id=None, blob=None):
		"""Adds a layer; diff_id and blob replace what belongs to the tar. Returns the descriptor."""
		if blob is None:
			blob = gzipped(tar_bytes)
		self.layers.append(self.add_blob(blob, f"{OCI}.layer.v1.tar+gzip"))
		self.diff_ids.append(diff_id or sha256(tar_bytes))
		return self.layers[-1]

	def add_layer_file(self, path):
		"""Adds a plain tar of any size; the file is moved into the layout."""
		with open(path, "rb") as file:
			digest = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
		size = os.path.getsize(path)
		os.rename(path, self.blob_path(digest))
		self.layers.append({"mediaType": f"{OCI}.layer.v1.tar", "digest": digest, "size": size})
		self.diff_ids.append(digest)

	def commit(self, tag, manifest=None, architecture="amd64"):
		"""Writes the image under a tag; manifest replaces the bytes of its manifest. Returns the
		manifest's digest."""
		entry = self.add_manifest(manifest, architecture)
		self.tag(tag, entry)
		return entry["digest"]

	def add_manifest(self, manifest=None, architecture="amd64"):
		config = {"architecture": architecture, "os": "linux", "config": {}, "rootfs": {"type": "layers", "diff_ids": self.diff_ids}}
		config = self.add_blob(json.dumps(config).encode(), f"{OCI}.config.v1+json")
		if manifest is None:
			manifest = json.dumps({"schemaVersion": 2, "mediaType": f"{OCI}.manifest.v1+json", "config": config, "layers": self.layers}).encode()
		return self.add_blob(manifest, f"{OCI}.manifest.v1+json")

	def commit_index(self, tag, entries):
		"""Writes an index of [(platform or None, descriptor)] under a tag."""
		entries = [{**entry, **({"platform": platform} if platform else {})} for platform, entry in entries]
		index = {"schemaVersion": 2, "mediaType": f"{OCI}.index.v1+json", "manifests": entries}
		self.tag(tag, self.add_blob(json.dumps(index).encode(), f"{OCI}.index.v1+json"))

	def tag(self, tag, entry):
		with open(os.path.join(self.folder, "index.json"), "r+") as file:
			index = json.load(file)
			index["manifests"].append({**entry, "annotations": {"org.opencontainers.image.ref.name": tag}})
			file.seek(0)
			json.dump(index, file)
