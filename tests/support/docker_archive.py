# SPDX-License-Identifier: Apache-2.0
"""Writing what `docker save` writes, in its forms, also such as no docker would write.

	image = docker_archive.Image([tar, tar], tags=["x:1"])
	data = docker_archive.saved([image])             docker 1.10 to 24: <id>/layer.tar, <hex>.json
	data = docker_archive.saved_as_layout([image])   docker since 25: an OCI layout beside manifest.json

	Members are (name, bytes), or (name, type, link name) with a type of tarfile: tar(members) packs
	any of them.
"""

import dataclasses
import hashlib
import io
import json
import tarfile


def hexdigest(data):
	return hashlib.sha256(data).hexdigest()


@dataclasses.dataclass
class Image:
	tars: list  # the uncompressed layers, lowest first
	tags: list | None = None
	pack: object = None  # compresses a layer
	architecture: str = "amd64"

	def config(self):
		diff_ids = [f"sha256:{hexdigest(tar)}" for tar in self.tars]
		return json.dumps({"architecture": self.architecture, "os": "linux", "config": {"Cmd": ["/bin/sh"]},
			"rootfs": {"type": "layers", "diff_ids": diff_ids}}).encode()

	def packed(self, tar):
		return self.pack(tar) if self.pack else tar


def tar(members, format=tarfile.GNU_FORMAT):
	stream = io.BytesIO()
	with tarfile.open(fileobj=stream, mode="w", format=format) as archive:
		for member in members:
			info = tarfile.TarInfo(member[0])
			if len(member) == 2:
				info.size = len(member[1])
				archive.addfile(info, io.BytesIO(member[1]))
			else:
				info.type, info.linkname = member[1:]
				archive.addfile(info)
	return stream.getvalue()


def saved_members(images):
	"""A layer that stands in several places is stored once; the others are symbolic links to it."""
	members, items, stored, repositories = [], [], {}, {}
	for image in images:
		layers = []
		for number, layer in enumerate(image.tars):
			folder = hexdigest(f"{hexdigest(image.config())} {number}".encode())
			name = f"{folder}/layer.tar"
			members += [(f"{folder}/", tarfile.DIRTYPE, ""), (f"{folder}/VERSION", b"1.0"), (f"{folder}/json", b"{}")]
			if layer in stored:
				members.append((name, tarfile.SYMTYPE, f"../{stored[layer]}"))
			else:
				stored[layer] = name
				members.append((name, image.packed(layer)))
			layers.append(name)
		config = image.config()
		members.append((f"{hexdigest(config)}.json", config))
		items.append({"Config": f"{hexdigest(config)}.json", "RepoTags": image.tags, "Layers": layers})
		for tag in image.tags or []:
			name, _, label = tag.rpartition(":")
			repositories.setdefault(name, {})[label] = folder
	members.append(("manifest.json", json.dumps(items).encode()))
	members.append(("repositories", json.dumps(repositories).encode()))
	return members


def saved(images):
	return tar(saved_members(images))


def layout_members(images, annotate=True):
	"""With annotate each name is an entry of index.json, as docker writes it."""
	blobs, items, entries = {}, [], []

	def add(data):
		blobs[hexdigest(data)] = data
		return {"digest": f"sha256:{hexdigest(data)}", "size": len(data)}

	for image in images:
		layers = [{"mediaType": "application/vnd.oci.image.layer.v1.tar", **add(image.packed(layer))} for layer in image.tars]
		config = {"mediaType": "application/vnd.oci.image.config.v1+json", **add(image.config())}
		manifest = json.dumps({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
			"config": config, "layers": layers}).encode()
		entry = {"mediaType": "application/vnd.oci.image.manifest.v1+json", **add(manifest)}
		for tag in image.tags if annotate and image.tags else [None]:
			entries.append({**entry, "annotations": {"io.containerd.image.name": f"docker.io/library/{tag}",
				"org.opencontainers.image.ref.name": tag.rpartition(":")[2]}} if tag else entry)
		path = "blobs/sha256/{}".format
		items.append({"Config": path(config["digest"][7:]), "RepoTags": image.tags,
			"Layers": [path(layer["digest"][7:]) for layer in layers]})
	index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": entries}
	return [("blobs/", tarfile.DIRTYPE, ""), ("blobs/sha256/", tarfile.DIRTYPE, ""),
		*((f"blobs/sha256/{name}", data) for name, data in blobs.items()),
		("index.json", json.dumps(index).encode()), ("manifest.json", json.dumps(items).encode()),
		("oci-layout", b'{"imageLayoutVersion": "1.0.0"}')]


def saved_as_layout(images, annotate=True):
	return tar(layout_members(images, annotate))
