"""A second reader of profile PB1, in another language and with no code of ours: it opens what the vectors hold.

usage: pb1_reader.py pb1_vectors.json pb1_frozen.json
Prints how many values agreed, or ends with the first that did not. Needs the package `cryptography`.
"""

import hashlib
import json
import struct
import sys
import unicodedata
from base64 import b64decode

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

CHUNK = 65536
PROFILES = {"A1": (65536, 3, 4), "T0": (8192, 1, 1)}
agreed = 0


def same(name, one, other):
    global agreed
    if one != other:
        sys.exit(f"{name} differs")
    agreed += 1


def pieces(*parts):
    encoded = [part.encode() if isinstance(part, str) else part for part in parts]
    return struct.pack("<Q", len(encoded)) + b"".join(struct.pack("<Q", len(part)) + part for part in encoded)


def hkdf(key, salt, info, length=32):
    return HKDF(hashes.SHA256(), length, salt or None, info).derive(key)


def unseal(kind, key, context, blob):
    if blob[:4] != b"PB1" + bytes([kind]):
        sys.exit("header differs")
    aad = pieces(blob[:36], *context)
    okm = hkdf(key, blob[4:36], pieces("pb1:seal", hashlib.sha256(aad).digest()), 76)
    same("commitment", okm[32:64], blob[36:68])
    return AESGCM(okm[:32]).decrypt(okm[64:], blob[68:], aad)


def unpad(padded):
    length = struct.unpack(">I", padded[:4])[0]
    same("filler", padded[4 + length :].strip(b"\0"), b"")
    return padded[4 : 4 + length].decode()


def nonce(index, final):
    return index.to_bytes(11, "big") + bytes([final])


def seal_file(key, salt, field_id, plain):
    stream = AESGCM(hkdf(key, salt, pieces("pb1:file", field_id)))
    count = max(1, -(-len(plain) // CHUNK))
    parts = [
        stream.encrypt(nonce(at, at == count - 1), plain[at * CHUNK : (at + 1) * CHUNK], None) for at in range(count)
    ]
    return b"PBF1" + salt + b"".join(parts)


def master_key(profile, password, salt):
    memory, iterations, lanes = PROFILES[profile]
    normal = unicodedata.normalize("NFKC", password).encode()
    kdf = Argon2id(salt=salt, length=32, iterations=iterations, lanes=lanes, memory_cost=memory)
    return kdf.derive(normal)


def check_vectors(v):
    ids, identity = v["ids"], v["identity"]
    user = ids["user_id"]
    for row in v["pae"]:
        same("pieces", pieces(*row["in"]).hex(), row["out"])
    salt = b64decode(v["kdf"]["salt_base64"])
    for password in (v["kdf"]["master_password"], v["kdf"]["master_password_nfd_equals"]):
        key = master_key(v["kdf"]["kdf"], password, salt)
        kek = hkdf(key, b"", pieces("pb1:kek", user, ids["slot_id"], v["kdf"]["desc"]))
        same("slot key", kek.hex(), v["kdf"]["kek_hex"])
    user_key = unseal(1, kek, v["slot"]["ctx"], b64decode(v["slot"]["blob_base64"]))
    same("user key", user_key.hex(), v["slot"]["user_key_hex"])
    keyset = json.loads(unseal(2, user_key, v["keyset"]["ctx"], b64decode(v["keyset"]["blob_base64"])))
    same("RSA key", keyset["rsa_pkcs8_base64"], identity["rsa_pkcs8_base64"])
    seed = b64decode(keyset["ed25519_seed_base64"])
    public = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    spki = b64decode(identity["rsa_spki_base64"])
    same("public key", public.hex(), identity["ed25519_pub_hex"])
    fingerprint = hashlib.sha256(pieces("pb1:identity", user, public, spki)).hexdigest()
    same("fingerprint", fingerprint, identity["fingerprint_hex"])
    message = pieces("pb1:cert", user, "1", public, spki, "")
    same("certificate", Ed25519PrivateKey.from_private_bytes(seed).sign(message).hex(), v["cert"]["sig_hex"])
    roster = b64decode(v["roster"]["roster_base64"])
    Ed25519PublicKey.from_public_bytes(public).verify(bytes.fromhex(v["roster"]["sig_hex"]), pieces("pb1:roster", roster))
    rsa = serialization.load_der_private_key(b64decode(keyset["rsa_pkcs8_base64"]), None)
    oaep = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)
    secret = rsa.decrypt(b64decode(v["grant"]["encrypted_aes_password_base64"]), oaep)
    same("group secret", secret.hex(), v["group"]["group_secret_hex"])
    group_key = hkdf(secret, b"", pieces("pb1:gk", ids["entry_group_id"], "1"))
    same("group key", group_key.hex(), v["group"]["group_key_hex"])
    commit = hkdf(secret, b"", pieces("pb1:gk-commit", ids["entry_group_id"], "1"))
    same("commitment of the roster", commit.hex(), json.loads(roster)["gk_commit"])
    for field in (v["field"], v["file_field"]):
        check_field(group_key, field["cek_ctx"], field["value_ctx"], field)
    for file, plain in (
        (v["file_small"], bytes.fromhex(v["file_small"]["plaintext_hex"])),
        (v["file_big"], bytes(i % 251 for i in range(131077))),
    ):
        body = seal_file(bytes.fromhex(file["file_key_hex"]), bytes.fromhex(file["file_salt_hex"]), ids["field_id"], plain)
        expected = file.get("blob_sha256") or hashlib.sha256(b64decode(file["blob_base64"])).hexdigest()
        same("body", hashlib.sha256(body).hexdigest(), expected)


def check_field(group_key, wrap_context, value_context, field):
    cek = unseal(3, group_key, wrap_context, b64decode(field["cek_wrapped_base64"]))
    same("content key", cek.hex(), field["cek_hex"])
    padded = unseal(4, cek, value_context, b64decode(field["encrypted_value_base64"]))
    same("payload", unpad(padded), field["payload"])


def check_frozen(v):
    ids = v["ids"]
    for field in v["fields"]:
        tail = [ids["entry_id"], ids["field_id"], str(field["rev"]), field["type"]]
        wrap_context = [ids["entry_group_id"], str(field["gk_version"]), *tail]
        check_field(bytes.fromhex(v["group_key_hex"]), wrap_context, tail, field)
    for file in v["files"]:
        plain = bytes(i % 251 for i in range(file["size"]))
        body = seal_file(bytes.fromhex(file["file_key_hex"]), bytes.fromhex(file["file_salt_hex"]), ids["field_id"], plain)
        same("body", hashlib.sha256(body).hexdigest(), file["body_sha256"])
    for row in v["passwords"]:
        key = master_key(row["kdf"], row["master_password"], b64decode(row["salt_base64"]))
        same("master key", key.hex(), row["master_key_hex"])
        kek = hkdf(key, b"", pieces("pb1:kek", ids["user_id"], ids["slot_id"], row["desc"]))
        same("slot key", kek.hex(), row["kek_hex"])


def check_rosters(v, group_id):
    keys = {}
    for row in v["certificates"]:
        public, spki = b64decode(row["ed25519_base64"]), b64decode(row["rsa_spki_base64"])
        fingerprint = hashlib.sha256(pieces("pb1:identity", row["user_id"], public, spki)).hexdigest()
        same("fingerprint", fingerprint, row["fpr"])
        message = pieces("pb1:cert", row["user_id"], str(row["keyset_version"]), public, spki, row["prev_fpr"])
        keys[fingerprint] = Ed25519PublicKey.from_public_bytes(public)
        keys[fingerprint].verify(b64decode(row["sig_base64"]), message)
        if row["sig_prev_base64"]:
            keys[row["prev_fpr"]].verify(b64decode(row["sig_prev_base64"]), message)
    prev = ""
    for seq, row in enumerate(v["succession"]):
        roster = check_roster(row, keys, group_id)
        same("link", (roster["seq"], roster["prev"]), (seq, prev))
        prev = row["sha256"]
    for row in v["broken"]:
        roster = check_roster(row, keys, group_id)
        same("place of the broken link", roster["seq"], row["link"])
        same("broken link", roster["prev"] != v["succession"][row["link"] - 1]["sha256"], True)


def check_roster(row, keys, group_id):
    encoded = b64decode(row["roster_base64"])
    same("hash of the roster", hashlib.sha256(encoded).hexdigest(), row["sha256"])
    keys[row["signer_fpr"]].verify(b64decode(row["roster_sig_base64"]), pieces("pb1:roster", encoded))
    roster = json.loads(encoded)
    same("group", roster["group_id"], group_id)
    same("signer", [roster["signer"], "admin", row["signer_fpr"]] in roster["members"], True)
    return roster


check_vectors(json.load(open(sys.argv[1], encoding="utf-8")))
frozen = json.load(open(sys.argv[2], encoding="utf-8"))
check_frozen(frozen)
check_rosters(frozen["rosters"], frozen["ids"]["entry_group_id"])
print(f"{agreed} values agree")
