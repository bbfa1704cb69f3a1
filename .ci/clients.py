"""One call with the generated Python client."""

import os

from wayfile_client import AuthenticatedClient
from wayfile_client.api.files import generate, validate
from wayfile_client.models import Error, GenerateRequest, GenerateResponse, ValidateResponse, ValidateSite

site = os.environ["WAYFILE_SITE"]
client = AuthenticatedClient(os.environ["WAYFILE_API"], os.environ["WAYFILE_KEY"], timeout=60)
made = generate.sync(client=client, body=GenerateRequest(url=site))
assert isinstance(made, GenerateResponse) and made.domain == "127.0.0.1" and made.llms_txt, made
judged = validate.sync(client=client, body=ValidateSite(url=site))
assert isinstance(judged, ValidateResponse) and judged.checks, judged
refused = generate.sync(client=client, body=GenerateRequest(url=""))
assert isinstance(refused, Error) and refused.code == "missing_field", refused
