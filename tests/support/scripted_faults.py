# SPDX-License-Identifier: Apache-2.0
"""Transfers that break: a part of the scripted registry (scripted_registry.py).

A repository's name says what happens to it; the last component makes it unique, since each fault is
counted for one repository. Only the layer breaks, unless the text says otherwise.

  fail/STATUS/TIMES/AFTER/...   each path answers TIMES times with STATUS; AFTER is the Retry-After:
                                seconds, "date" for two seconds behind the Date header, or "none"
  cut/HOW/...                   the first answer ends after CUT bytes; HOW says what follows:
                                see the again_* methods, and begin() for how it ends
"""

import email.utils
import socket
import struct
import time

CUT = 1800007  # bytes, of the 3 MiB of the layer
ETAG = '"the-layer"'


class Faults:
    """Needs of the handler: send(), refuse(), blobs, state, repository, storage(), allowed() and
    challenge()."""

    def do_fail(self, kind, name):
        status, times, after = self.repository.split("/")[1:4]
        if self.state.next(self.path) > int(times):
            return True
        headers = {}
        if after == "date":
            headers["Retry_After"] = email.utils.formatdate(time.time() + 2, usegmt=True)
        elif after != "none":
            headers["Retry_After"] = after
        self.refuse(int(status), "FAULT", "not now", **headers)

    def do_drop(self, kind, name):
        """The connection ends without an answer, once for each path."""
        if self.state.next(self.path) > 1:
            return True
        self.close_connection = True

    def do_cutmanifest(self, kind, name):
        """Every manifest is cut the first time."""
        if kind == "blobs" or self.state.next(self.path) > 1:
            return True
        self.send(200, b'{"schemaVersion', Content_Length="900")
        self.close_connection = True

    # ---- Ranges ----

    def range_start(self):
        """N of "Range: bytes=N-", or None."""
        value = self.headers["Range"]
        if value is None:
            return None
        if not value.startswith("bytes=") or not value.endswith("-"):
            raise ValueError(value)
        return int(value[len("bytes="):-1])

    def send_part(self, body, first, end=None, total=None, **headers):
        end = len(body) if end is None else end
        total = len(body) if total is None else total
        headers.setdefault("Content_Range", "bytes %d-%d/%s" % (first, end - 1, total))
        self.send(206, body[first:end], **headers)

    def do_ranges(self, kind, name):
        """A good registry that knows ranges."""
        start = self.range_start()
        if kind == "manifests" or start is None:
            return True
        self.state.count("parts")
        self.send_part(self.blobs[name], start)

    # ---- Cut, and asked again ----

    def do_cut(self, kind, name):
        how = self.repository.split("/")[1]
        if kind == "manifests" or len(self.blobs[name]) < CUT:
            return True
        self.state.count("blob " + self.repository)
        if how in ("token", "denied") and not self.allowed():
            return self.challenge(path="once" if how == "token" else "firstonly")
        if self.state.next(self.repository) == 1:
            return self.begin(how, self.blobs[name])
        return getattr(self, "again_" + how)(self.blobs[name], self.range_start())

    def begin(self, how, body):
        headers = {"Content_Length": str(len(body)), "ETag": ETAG}
        if how == "weak":
            headers["ETag"] = "W/" + ETAG
        elif how == "bare":
            del headers["ETag"]
        if how in ("unframed", "unframedwhole"):
            self.send(200, body[:CUT], Content_Length=None, Connection="close")
        elif how == "chunks":
            self.send(200, Transfer_Encoding="chunked", ETag=ETAG)
            self.chunk(body[:CUT])
        elif how == "last":
            self.send(200, Transfer_Encoding="chunked", ETag=ETAG)
            self.chunk(body)  # all of it, but not the chunk that ends it
        elif how == "short":
            self.send(200, body[:CUT], ETag=ETAG)
        else:
            self.send(200, body[:CUT], **headers)
        if how == "stall":
            time.sleep(60)
        if how == "reset":
            self.wfile.flush()
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        self.close_connection = True

    def expect(self, good):
        """What the client may not do is answered by what it does not try again."""
        if not good:
            self.refuse(400, "CLIENT", "unexpected: %s" % dict(self.headers))
        return good

    def again_partial(self, body, start):
        if self.expect(start == CUT and self.headers["If-Range"] == ETAG):
            self.send_part(body, CUT)

    again_chunks = again_stall = again_token = again_denied = again_partial

    def again_reset(self, body, start):
        """A reset may take with it what was sent before."""
        if self.expect(start <= CUT and self.headers["If-Range"] == ETAG):
            self.send_part(body, start)

    def again_weak(self, body, start):
        """Neither a weak ETag nor none goes into If-Range."""
        if self.expect(start == CUT and self.headers["If-Range"] is None):
            self.send_part(body, CUT)

    again_bare = again_unframed = again_weak

    def again_whole(self, body, start):
        self.send(200, body)

    again_unframedwhole = again_whole

    def again_early(self, body, start):
        self.send_part(body, CUT - 1000)

    def again_unknown(self, body, start):
        """The server does not know how long it is."""
        self.send_part(body, CUT, total="*")

    def once_more(self, body, start):
        """True when a range was asked for; without one comes all."""
        if start is None:
            self.send(200, body)
        return start is not None

    def again_late(self, body, start):
        if self.once_more(body, start):
            self.send_part(body, CUT + 1000)

    def again_refused(self, body, start):
        if self.once_more(body, start):
            self.send(416, b"", Content_Range="bytes */%d" % len(body))

    def again_several(self, body, start):
        if self.once_more(body, start):
            part = b"--x\r\nContent-Range: bytes %d-%d/%d\r\n\r\n" % (CUT, len(body) - 1, len(body))
            self.send(206, part + body[CUT:] + b"\r\n--x--\r\n",
                      Content_Type="multipart/byteranges; boundary=x")

    def again_unsaid(self, body, start):
        if self.once_more(body, start):
            self.send(206, body[CUT:])

    def again_total(self, body, start):
        if self.once_more(body, start):
            self.send_part(body, CUT, total=len(body) + 1)

    def again_garbled(self, body, start):
        if self.once_more(body, start):
            self.send_part(body, CUT, Content_Range="bytes 18446744073709551616-5/4")

    def again_other(self, body, start):
        """The right range of other content: the digest must tell."""
        self.send_part(bytes(len(body)), CUT)

    def again_pieces(self, body, start):
        """Each answer is a part of what was asked for."""
        self.send_part(body, start, min(start + 100000, len(body)))

    def again_steps(self, body, start):
        """Some more each time, and then it breaks again."""
        self.send(206, body[start:start + 200000], Content_Length=str(len(body) - start),
                  Content_Range="bytes %d-%d/%d" % (start, len(body) - 1, len(body)))
        self.close_connection = True

    def again_never(self, body, start):
        """The right head, and then nothing."""
        self.send(206, Content_Length=str(len(body) - start),
                  Content_Range="bytes %d-%d/%d" % (start, len(body) - 1, len(body)))
        self.close_connection = True

    def again_same(self, body, start):
        """No ranges, and it always breaks at the same byte."""
        self.send(200, body[:CUT], Content_Length=str(len(body)))
        self.close_connection = True

    def again_moved(self, body, start):
        """To the storage, which must be asked for the range, and without a token."""
        self.send(307, Location=self.storage() + "/part/" + self.path.split("/")[-1])

    def again_busy(self, body, start):
        if self.state.next("busy " + self.repository) == 1:
            return self.refuse(503, "BUSY", "not now", Retry_After="1")
        self.again_partial(body, start)

    def again_gone(self, body, start):
        self.refuse(404, "BLOB_UNKNOWN", "blob unknown")

    def part(self, name):
        """The storage's side of again_moved."""
        if self.expect(self.range_start() == CUT and not self.headers["Authorization"]):
            self.send_part(self.blobs[name], CUT)

    # ---- Digests that the registry tells ----

    def told(self, kind, name, value):
        if kind != "manifests" or name.startswith("sha256:"):
            return True
        self.send(200, self.index, Content_Type=self.index_type, Docker_Content_Digest=value)

    def do_told(self, kind, name):
        return self.told(kind, name, self.digest(self.index))

    def do_toldother(self, kind, name):
        return self.told(kind, name, self.digest(b"other"))

    def do_toldnonsense(self, kind, name):
        return self.told(kind, name, "sha256:../../../etc/passwd")
