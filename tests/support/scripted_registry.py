#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small registry that misbehaves on demand, for tests. Python's standard library only.

Prints one line, "PORT STORAGE_PORT SIX_PORT TLS_PORT MUTUAL_PORT FOLDER", and serves until its
standard input ends.
  PORT          plain HTTP on 127.0.0.1
  STORAGE_PORT  plain HTTP on 127.0.0.2, the "storage" that blobs are redirected to
  SIX_PORT      plain HTTP on ::1, or 0 where there is no IPv6
  TLS_PORT      HTTPS on 127.0.0.1, or 0 when there is no openssl to make its certificate
  MUTUAL_PORT   the same for clients with a certificate, or 0
  FOLDER        with files as in docker's certs.d: ca.crt, client.cert, client.key; or "-"

The first component of a repository's name chooses the behaviour: see SCENARIOS, and
scripted_faults.py for transfers that break. All repositories hold the same image under every tag:
an index of an attestation and of linux/amd64.
"""

import base64
import hashlib
import http.server
import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

import scripted_faults

OCI = "application/vnd.oci.image."
INDEX_TYPE = OCI + "index.v1+json"
MANIFEST_TYPE = OCI + "manifest.v1+json"
SCHEMA1_TYPE = "application/vnd.docker.distribution.manifest.v1+prettyjws"
SERVICE = 'scripted, "quoted" registry'
MIB = 1 << 20
USER, PASSWORD = "bob", "s3cret:with:colons"
IDENTITY, REGISTRY_TOKEN = "identity-token-0123456789", "registry-token-0123456789"


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def describe(media_type, data, **extra):
    return {"mediaType": media_type, "digest": digest(data), "size": len(data), **extra}


def encode(document):
    return json.dumps(document).encode()


LAYER = b"".join(hashlib.sha256(b"%d" % i).digest() for i in range(3 * MIB // 32))
CONFIG = encode({
    "os": "linux",
    "architecture": "amd64",
    "rootfs": {"type": "layers", "diff_ids": [digest(LAYER)]},
    "config": {"Cmd": ["sh"]},
})
MANIFEST = encode({
    "schemaVersion": 2,
    "mediaType": MANIFEST_TYPE,
    "config": describe(OCI + "config.v1+json", CONFIG),
    "layers": [describe(OCI + "layer.v1.tar", LAYER)],
})
UNKNOWN = {"os": "unknown", "architecture": "unknown"}
INDEX = encode({
    "schemaVersion": 2,
    "mediaType": INDEX_TYPE,
    "manifests": [
        describe(MANIFEST_TYPE, b"attestation", platform=UNKNOWN),
        describe(MANIFEST_TYPE, MANIFEST, platform={"os": "linux", "architecture": "amd64"}),
    ],
})
UNTYPED = encode({k: v for k, v in json.loads(INDEX).items() if k != "mediaType"})
BLOBS = {digest(b): b for b in (LAYER, CONFIG)}
DOCUMENTS = {digest(INDEX): (INDEX_TYPE, INDEX), digest(MANIFEST): (MANIFEST_TYPE, MANIFEST)}


def basic(user, password):
    return "Basic " + base64.b64encode(("%s:%s" % (user, password)).encode()).decode()


class State:
    """What requests leave behind; guarded by a lock."""

    ping = "missing"  # how /v2/ answers: see Handler.ping

    def __init__(self):
        self.lock = threading.Lock()
        self.tokens = {}  # token -> [scope, uses left]
        self.counts = {}  # name -> number

    def count(self, name):
        with self.lock:
            self.counts[name] = self.counts.get(name, 0) + 1

    def next(self, name):
        """1 the first time that this name is asked about, then 2, ..."""
        self.count("next " + name)
        return self.counts["next " + name]

    def issue(self, scope, uses):
        with self.lock:
            token = "token-%d" % (len(self.tokens) + 1)
            self.tokens[token] = [scope, uses]
            return token

    def spend(self, header, scope):
        with self.lock:
            entry = self.tokens.get((header or "")[len("Bearer "):])
            if not entry or entry[0] != scope or entry[1] == 0:
                return False
            entry[1] -= 1
            return True


STATE = State()
PORTS = {}


class Handler(scripted_faults.Faults, http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "scripted"
    blobs, state, index, index_type, digest = BLOBS, STATE, INDEX, INDEX_TYPE, staticmethod(digest)

    def log_message(self, *arguments):
        pass

    def setup(self):
        super().setup()
        STATE.count("connections")

    # ---- Answers ----

    def send(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            for line in value if isinstance(value, list) else [value] if value is not None else []:
                self.send_header(name.replace("_", "-"), line)
        if "Transfer_Encoding" not in headers and "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status, code, message, **headers):
        self.send(status, encode({"errors": [{"code": code, "message": message}]}),
                  Content_Type="application/json", **headers)

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def base(self):
        return "http://127.0.0.1:%d" % PORTS["plain"]

    def storage(self):
        return "http://127.0.0.2:%d" % PORTS["storage"]

    # ---- Routes ----

    def do_GET(self):
        try:
            self.route(urllib.parse.urlsplit(self.path))
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.close_connection = True

    def do_POST(self):
        """Only token servers know it; the form takes the place of the query."""
        length = int(self.headers.get("Content-Length") or 0)
        form = urllib.parse.parse_qs(self.rfile.read(length).decode(), keep_blank_values=True)
        kind = urllib.parse.urlsplit(self.path).path.split("/")[-1]
        if kind == "stolen":
            STATE.count("stolen")
        self.user_token(kind, form)

    def route(self, url):
        parts = url.path.strip("/").split("/")
        query = urllib.parse.parse_qs(url.query, keep_blank_values=True)
        if parts[0] == "count":
            self.send(200, b"%d" % STATE.counts.get("/".join(parts[1:]).replace("+", " "), 0))
        elif parts[0] == "ping":
            STATE.ping = parts[1]
            self.send(200)
        elif parts == ["v2"]:
            self.ping()
        elif parts[0] == "token" and parts[1].startswith("user"):
            self.user_token(parts[1], query)
        elif parts[0] == "token":
            self.token(parts[1], query)
        elif parts[0] == "storage":
            self.stored(parts[1])
        elif parts[0] == "stolen":
            STATE.count("stolen")
            self.send(200, encode({"token": "stolen"}))
        elif parts[0] == "part":
            self.part(parts[1])
        elif parts[0] == "v2" and len(parts) >= 5:
            scenario, kind, name = parts[1], parts[-2], parts[-1]
            self.repository = "/".join(parts[1:-2])
            if getattr(self, "do_" + scenario.replace("-", "_"), self.do_open)(kind, name):
                self.serve(kind, name)
        else:
            self.refuse(404, "NAME_UNKNOWN", "no such path")

    def serve(self, kind, name):
        if kind == "blobs" and name in BLOBS:
            self.send(200, BLOBS[name], Content_Type="application/octet-stream")
        elif kind == "manifests" and not name.startswith("sha256:"):
            self.send(200, INDEX, Content_Type=INDEX_TYPE)
        elif kind == "manifests" and name in DOCUMENTS:
            self.send(200, DOCUMENTS[name][1], Content_Type=DOCUMENTS[name][0])
        else:
            self.refuse(404, "MANIFEST_UNKNOWN", "manifest unknown")

    def stored(self, name):
        if self.headers["Authorization"]:
            self.refuse(400, "InvalidArgument", "only one auth mechanism allowed")
        else:
            STATE.count("stored")
            self.send(200, BLOBS[name])

    # ---- Tokens ----

    def challenge(self, extra="", service=SERVICE, path="ok"):
        quoted = service.replace('"', '\\"')
        self.refuse(401, "UNAUTHORIZED", "authentication required", WWW_Authenticate=(
            'Bearer realm="%s/token/%s"%s%s' % (
                self.base(), path, ',service="%s"' % quoted if service else "", extra)))
        return False

    def allowed(self):
        scope = "repository:%s:pull" % self.repository
        return STATE.spend(self.headers["Authorization"], scope)

    def token(self, kind, query):
        """Strict: one scope, of the right form; the service exactly when it was given."""
        STATE.count("tokens")
        scope = query.get("scope", [])
        service = [] if kind == "noservice" else [SERVICE]
        if (len(scope) != 1 or not scope[0].startswith("repository:")
                or not scope[0].endswith(":pull") or query.get("service", []) != service
                or self.headers["Authorization"]):
            return self.refuse(403, "DENIED", "only repository:NAME:pull is granted")
        if kind == "huge":
            return self.endless(b" " * 65536)
        if kind == "busy":
            return self.refuse(429, "TOOMANYREQUESTS", "slow down")
        if kind == "later" and STATE.next("later") <= 2:
            return self.refuse(503, "UNAVAILABLE", "not yet")
        if kind == "short" or (kind == "cut" and STATE.next("cut " + scope[0]) == 1):
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"token": "token-')
            self.close_connection = True
            return None
        uses = {"once": 1, "never": 0}.get(kind, 1000)
        if kind == "firstonly":  # the second token is no good
            uses = 1 if STATE.next("firstonly " + scope[0]) == 1 else 0
        body = {"token": STATE.issue(scope[0], uses), "expires_in": 60}
        if kind == "noservice":
            body = {"access_token": body["token"]}
        elif kind == "evil":
            body = {"token": "x\r\nX-Injected: 1"}
        elif kind == "none":
            body = {"tokens": "x"}
        self.send(200, encode(body))

    # ---- Users ----

    def ping(self):
        STATE.count("pings")
        authorization = self.headers["Authorization"]
        if STATE.ping == "missing":
            self.refuse(404, "NAME_UNKNOWN", "no such path")
        elif STATE.ping == "open":
            self.send(200, b"{}")
        elif STATE.ping == "basic" and authorization != basic(USER, PASSWORD):
            self.send(401, WWW_Authenticate='Basic realm="b"')
        elif STATE.ping.startswith("user") and not STATE.spend(authorization, ""):
            self.challenge(',scope="repository:user/image:pull"', path=STATE.ping)
        else:
            self.send(200, b"{}")

    def user_token(self, kind, asked):
        """user: GET with Basic. userpost: only POST. userget: only GET. usermoved: POST leads
        elsewhere. usershort: tokens that last a second. userbare: no expires_in."""
        STATE.count("tokens")
        post = self.command == "POST"
        if (kind == "userpost" and not post) or (kind == "userget" and post):
            return self.refuse(405, "UNSUPPORTED", "not by this method")
        if kind == "usermoved" and post:
            return self.send(307, Location=self.storage() + "/stolen")
        if not (self.good_form(asked) if post else self.good_query(asked)):
            return self.refuse(401, "UNAUTHORIZED", "incorrect username or password")
        body = {"access_token" if post else "token": STATE.issue("".join(asked.get("scope", [])), 1000)}
        if kind != "userbare":
            body["expires_in"] = 1 if kind == "usershort" else 300
        self.send(200, encode(body))

    def good_form(self, form):
        if form.get("grant_type") == ["refresh_token"]:
            good = form.get("refresh_token") == [IDENTITY]
        else:
            good = form.get("username") == [USER] and form.get("password") == [PASSWORD]
        return good and form.get("service") == [SERVICE] and "client_id" in form

    def good_query(self, query):
        return query.get("service") == [SERVICE] and self.headers["Authorization"] in (
            basic(USER, PASSWORD), basic("<token>", IDENTITY))

    # ---- SCENARIOS: true means go on as a good registry ----

    def do_private(self, kind, name):
        """A user of Basic; the storage refuses requests that carry it."""
        if self.headers["Authorization"] != basic(USER, PASSWORD):
            return self.send(401, WWW_Authenticate='Basic realm="b"')
        if kind == "manifests":
            return True
        self.send(307, Location=self.storage() + "/storage/" + name)

    def do_hidden(self, kind, name):
        """Who did not log in sees nothing, and is not asked to."""
        return (self.headers["Authorization"] == basic(USER, PASSWORD)
                or self.refuse(404, "MANIFEST_UNKNOWN", "manifest unknown"))

    def do_user(self, kind, name):
        return self.allowed() or self.challenge(path="user")

    def do_userpost(self, kind, name):
        return self.allowed() or self.challenge(path="userpost")

    def do_userget(self, kind, name):
        return self.allowed() or self.challenge(path="userget")

    def do_usermoved(self, kind, name):
        return self.allowed() or self.challenge(path="usermoved")

    def do_usershort(self, kind, name):
        if not self.allowed():
            STATE.count("refused")
            return self.challenge(path="usershort")
        return True

    def do_userbare(self, kind, name):
        return self.allowed() or self.challenge(path="userbare")

    def do_bearer(self, kind, name):
        """A token of the user's own; there is no token server."""
        return (self.headers["Authorization"] == "Bearer " + REGISTRY_TOKEN
                or self.challenge(path="none"))

    def do_echo(self, kind, name):
        """Quotes the credentials back, as some proxies do."""
        if not self.headers["Authorization"]:
            return self.send(401, WWW_Authenticate='Basic realm="b"')
        self.send(400, b"bad header: " + self.headers["Authorization"].encode(),
                  Content_Type="text/plain")

    def do_open(self, kind, name):
        return True

    def do_token(self, kind, name):
        hint = ',scope="repository:user/image:pull,push"'
        return self.allowed() or self.challenge(hint)

    def do_noservice(self, kind, name):
        return self.allowed() or self.challenge(service="", path="noservice")

    def do_several(self, kind, name):
        """Basic and Bearer in two header lines."""
        if self.allowed():
            return True
        self.send(401, WWW_Authenticate=['Basic realm="b"', 'Bearer service="%s",realm="%s"' % (
            SERVICE.replace('"', '\\"'), self.base() + "/token/ok")])

    def do_once(self, kind, name):
        return self.allowed() or self.challenge(path="once")

    def do_denied(self, kind, name):
        return self.allowed() or self.challenge(path="never")

    def do_eviltoken(self, kind, name):
        return self.challenge(path="evil")

    def do_notoken(self, kind, name):
        return self.challenge(path="none")

    def do_hugetoken(self, kind, name):
        return self.challenge(path="huge")

    def do_latertoken(self, kind, name):
        return self.allowed() or self.challenge(path="later")

    def do_cuttoken(self, kind, name):
        return self.allowed() or self.challenge(path="cut")

    def do_shorttoken(self, kind, name):
        return self.challenge(path="short")

    def do_busytoken(self, kind, name):
        return self.challenge(path="busy")

    def do_basic(self, kind, name):
        self.send(401, WWW_Authenticate='Basic realm="b"')

    def do_nochallenge(self, kind, name):
        self.refuse(401, "UNAUTHORIZED", "go away")

    def do_badchallenge(self, kind, name):
        self.send(401, WWW_Authenticate='Bearer realm="open')

    def do_realm_other(self, kind, name):
        self.send(401, WWW_Authenticate='Bearer realm="http://other.invalid/token"')

    def do_realm_file(self, kind, name):
        self.send(401, WWW_Authenticate='Bearer realm="file:///etc/passwd"')

    def do_moved(self, kind, name):
        """A token is needed here; the storage refuses requests that carry one."""
        if not self.allowed():
            return self.challenge()
        if kind == "manifests":
            return True
        self.send(307, b"<html>moved</html>", Location=self.storage() + "/storage/" + name)

    def do_moved_here(self, kind, name):
        """A relative redirect on the same server, where the token is still needed."""
        if not self.allowed():
            return self.challenge()
        if kind == "manifests" or self.path.endswith("?here"):
            return True
        self.send(302, Location="../blobs/%s?here" % name)

    def do_moved_asks(self, kind, name):
        """The storage asks for a token: it must get none."""
        self.send(307, Location=self.storage() + "/v2/token/x/%s/%s" % (kind, name))

    def do_loop(self, kind, name):
        STATE.count("loop")
        self.send(307, Location=self.path)

    def hops(self, name, most):
        hop = int(urllib.parse.urlsplit(self.path).query or 0)
        if hop == most:
            return True
        self.send(307, Location=self.path.split("?")[0] + "?%d" % (hop + 1))

    def do_hops10(self, kind, name):
        return self.hops(name, 10)

    def do_hops11(self, kind, name):
        return self.hops(name, 11)

    def do_tofile(self, kind, name):
        self.send(307, Location="file:///etc/passwd")

    def do_toftp(self, kind, name):
        self.send(307, Location="gopher://127.0.0.1/")

    def do_touser(self, kind, name):
        self.send(307, Location="http://user:password@127.0.0.1:%d%s" % (
            PORTS["plain"], self.path))

    def do_nolocation(self, kind, name):
        self.send(307)

    def do_toplain(self, kind, name):
        self.send(307, Location=self.base() + self.path.replace("toplain", "open"))

    def endless(self, piece):
        self.send(200, Transfer_Encoding="chunked")
        for _ in range(10 ** 6):
            self.chunk(piece)

    def do_endless(self, kind, name):
        self.endless(b" " * 65536)

    def do_endlesshead(self, kind, name):
        self.send_response(200)
        for i in range(10 ** 6):
            self.send_header("X-%d" % i, "x" * 1000)
            self.flush_headers()

    def do_longline(self, kind, name):
        self.send(200, X="x" * MIB)

    def do_shortbody(self, kind, name):
        if kind == "manifests":
            return True
        self.send(200, BLOBS[name][:100], Content_Length=str(len(BLOBS[name])))
        self.close_connection = True

    def do_cutchunks(self, kind, name):
        if kind == "manifests":
            return True
        self.send(200, Transfer_Encoding="chunked")
        self.chunk(BLOBS[name][:100])
        self.close_connection = True

    def do_longbody(self, kind, name):
        if kind == "manifests":
            return True
        self.send(200, BLOBS[name] + b"x")

    def do_stall(self, kind, name):
        if kind == "manifests":
            return True
        self.send(200, BLOBS[name][:50], Content_Length=str(len(BLOBS[name])))
        time.sleep(60)

    def do_stallhead(self, kind, name):
        time.sleep(60)

    def do_slow(self, kind, name):
        if kind == "manifests":
            return True
        body, step = BLOBS[name], len(BLOBS[name]) // 12 + 1
        self.send(200, Content_Length=str(len(body)))
        for at in range(0, len(body), step):
            time.sleep(0.4)
            self.wfile.write(body[at:at + step])

    def do_close(self, kind, name):
        self.close_connection = True

    def do_garbage(self, kind, name):
        self.wfile.write(b"this is not HTTP\r\n\r\n")
        self.close_connection = True

    def do_early(self, kind, name):
        """Informational responses before the final one."""
        self.wfile.write(b"HTTP/1.1 103 Early Hints\r\nContent-Type: text/x\r\n\r\n")
        return True

    def do_busy(self, kind, name):
        self.refuse(429, "TOOMANYREQUESTS", "slow down", Retry_After="1")

    def do_broken(self, kind, name):
        self.send(500, b"<html>oops</html>", Content_Type="text/html")

    def do_plaintext(self, kind, name):
        self.send(400, b"wrong door\nsecond line", Content_Type="text/plain; charset=utf-8")

    def do_forbidden(self, kind, name):
        self.refuse(403, "DENIED", "not for you\x1b[31m\n")

    def do_missing(self, kind, name):
        self.refuse(404, "MANIFEST_UNKNOWN", "manifest unknown")

    def do_noblob(self, kind, name):
        return kind == "manifests" or self.refuse(404, "BLOB_UNKNOWN", "blob unknown")

    def do_schema1(self, kind, name):
        self.send(200, encode({"schemaVersion": 1, "fsLayers": [], "signatures": []}),
                  Content_Type=SCHEMA1_TYPE)

    def do_untyped(self, kind, name):
        if kind == "blobs" or name.startswith("sha256:"):
            return True
        self.send(200, UNTYPED, Content_Type="application/json; charset=utf-8")

    def do_wrongtype(self, kind, name):
        self.send(200, INDEX, Content_Type=MANIFEST_TYPE)

    def do_wrongmanifest(self, kind, name):
        """By digest comes another document, of the right size."""
        if kind == "blobs" or not name.startswith("sha256:"):
            return True
        self.send(200, DOCUMENTS[name][1].replace(b"linux", b"Linux").replace(b'"s', b'"S', 1),
                  Content_Type=MANIFEST_TYPE)

    def do_wrongblob(self, kind, name):
        if kind == "manifests":
            return True
        self.send(200, BLOBS[name][:-1] + b"\0")

    def do_accept(self, kind, name):
        """Manifests only for clients that take all four kinds, and say who they are."""
        wanted, agent = self.headers.get("Accept", ""), self.headers.get("User-Agent", "")
        docker = "application/vnd.docker.distribution.manifest."
        kinds = (INDEX_TYPE, MANIFEST_TYPE, docker + "list.v2+json", docker + "v2+json")
        if kind == "blobs" or all(k in wanted for k in kinds) and agent.startswith("mkrootfs/"):
            return True
        self.refuse(404, "MANIFEST_UNKNOWN", "Accept: %s, %s" % (wanted, agent))


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, address):
        pass  # clients hang up on purpose


class SixServer(Server):
    address_family = socket.AF_INET6


def serve(host, context=None):
    server = (SixServer if ":" in host else Server)((host, 0), Handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True,
                                            do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def serve_six():
    try:
        return serve("::1")
    except OSError:
        return 0


def make_certificate(key, certificate, name, *options):
    """A self-signed one, which is its own authority."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                    "-subj", "/CN=" + name, *options, "-keyout", key, "-out", certificate],
                   check=True, capture_output=True)


def serve_tls(folder):
    """TLS_PORT, MUTUAL_PORT and FOLDER."""
    key, certs = os.path.join(folder, "server-key.pem"), os.path.join(folder, "certs.d")
    os.mkdir(certs)
    server, client = os.path.join(certs, "ca.crt"), os.path.join(certs, "client.cert")
    try:
        make_certificate(key, server, "scripted", "-addext", "subjectAltName=IP:127.0.0.1")
        make_certificate(os.path.join(certs, "client.key"), client, "client")
    except (OSError, subprocess.CalledProcessError):
        return 0, 0, "-"
    ports = []
    for mutual in (False, True):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(server, key)
        if mutual:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(client)
        ports.append(serve("127.0.0.1", context))
    return *ports, certs


def main():
    with tempfile.TemporaryDirectory(prefix="mkrootfs-registry-") as folder:
        PORTS["plain"] = serve("127.0.0.1")
        PORTS["storage"] = serve("127.0.0.2")
        print(PORTS["plain"], PORTS["storage"], serve_six(), *serve_tls(folder), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
