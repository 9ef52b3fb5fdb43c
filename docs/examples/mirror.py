"""Keeps a copy of an account in a file: all lists once, then the change feed.

    WAYBILL_KEY=wb_... python3 mirror.py https://waybill.example.com mirror.json [--once]

It can be stopped at any time: the file holds the resources together with the cursor up to which they are known.
Needs the standard library only.
"""
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

BASE, FILE = sys.argv[1:3]
ONCE = "--once" in sys.argv[3:]

LISTS = [
    ("shipment", "/v1/shipments", "svc_shipment_id"),
    ("purchase_order", "/v1/purchaseOrders", "po_number"),
    ("location", "/v1/locations", "id"),
    ("invoice", "/v1/invoices", "reference"),
    ("document", "/v1/documents", "id"),
    ("document_proposal", "/v1/documentProposals", "id"),
    ("message", "/v1/messages", "message_id"),
    ("exception", "/v1/exceptions", "exception_id"),
]


def get(path):
    headers = {"Authorization": "Bearer " + os.environ["WAYBILL_KEY"]}
    try:
        with urllib.request.urlopen(urllib.request.Request(BASE + path, headers=headers), timeout=60) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        if error.code in (404, 410):
            return error.code, None
        raise


def read_list(path):
    """Reads a list page by page; the list of shipments ends with 404."""
    found = []
    while True:
        status, page = get(f"{path}?take=100&skip={len(found)}")
        if status == 404 or not page:
            return found
        found += page


def save(mirror):
    with open(FILE + ".new", "w", encoding="utf-8") as new:
        json.dump(mirror, new)
    os.replace(FILE + ".new", FILE)


def without_link(body):
    """Links to documents and files are signed anew in each response."""
    rest = {name: value for name, value in body.items() if name != "link"}
    return {**rest, "files": [without_link(file) for file in rest["files"]]} if "files" in rest else rest


def start():
    """The cursor comes first: what changes while the lists are read is read again from the feed."""
    mirror = {"cursor": get("/v1/events?after=now")[1]["cursor"], "resources": {"tracking": {}}}
    resources = mirror["resources"]
    for kind, path, key in LISTS:
        # These lists have no removals, or are returned whole: paging by `skip` would miss what moves up.
        paged = kind in ("shipment", "document_proposal", "message")
        bodies = read_list(path) if paged else get(path)[1]
        resources[kind] = {str(body[key]): without_link(body) for body in bodies}
    for shipment in resources["shipment"]:
        status, body = get("/v1/tracking/" + urllib.parse.quote(shipment, safe=""))
        if status == 200:
            resources["tracking"][shipment] = body
    save(mirror)
    return mirror


def apply(mirror, event):
    of_kind = mirror["resources"].get(event["object"]["kind"])
    if of_kind is None:  # Other kinds, such as webhooks, have events only.
        return
    if event["what"] == "removed" or "state" not in event:
        of_kind.pop(event["object"]["id"], None)
    else:
        of_kind[event["object"]["id"]] = without_link(event["state"])


def main():
    if os.path.exists(FILE):
        with open(FILE, encoding="utf-8") as stored:
            mirror = json.load(stored)
    else:
        mirror = start()
    while True:
        wait = 0 if ONCE else 30
        status, page = get(f"/v1/events?include=object&wait={wait}&after={mirror['cursor']}")
        if status == 410:
            mirror = start()
            continue
        for event in page["events"]:
            apply(mirror, event)
        mirror["cursor"] = page["cursor"]
        save(mirror)
        if ONCE and not page["has_more"]:
            return


main()
