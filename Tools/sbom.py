"""The software bill of materials of a release, in CycloneDX's form: the libraries, and what is linked into them."""

import datetime
import hashlib
import uuid

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

# Of Swift's project, by the names of their repositories.
LINKED = {
    "swift": "the standard library and the runtime of Swift, linked into the libraries",
    "swift-corelibs-libdispatch": "libdispatch and its runtime of blocks, linked into the libraries",
}


def document(version, swift, time, libraries):
    """The document, as JSON. The same arguments make the same text."""
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in libraries}
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_OID, f"streams {version} {sorted(sums.values())}"))
    bom.metadata.timestamp = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    files = [
        Component(
            name=name,
            type=ComponentType.FILE,
            bom_ref=name,
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
        )
        for name, digest in sums.items()
    ]
    bom.metadata.component = Component(
        name="streams",
        version=version,
        bom_ref="streams",
        description="publishers, subscribers and demand for C and Python",
        licenses=[LicenseExpression("MIT")],
        purl=PackageURL("generic", None, "streams", version),
        components=files,
    )
    for name, description in LINKED.items():
        bom.components.add(linked(name, description, swift))
    bom.register_dependency(bom.metadata.component, bom.components)
    return make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string(indent=2) + "\n"


def linked(name, description, version):
    return Component(
        name=name,
        version=version,
        bom_ref=name,
        description=description,
        licenses=[LicenseExpression("Apache-2.0 WITH Swift-exception")],
        purl=PackageURL("github", "swiftlang", name, f"swift-{version}-RELEASE"),
    )
