"""Contact properties and contacts of two accounts: that of the configuration, and one of the program."""

import pulumi
import pulumi_audience as audience

seats = audience.ContactProperty("seats", name="seats", type=audience.PropertyType.NUMBER)
trial_ends_at = audience.ContactProperty("trial-ends-at", name="trialEndsAt", type=audience.PropertyType.DATE)

tester = audience.Contact(
    "tester",
    email="tester@example.com",
    first_name="Tess",
    properties={"seats": 3, "trialEndsAt": "2027-01-31"},
    create_with_event={"event_name": "invited"},
    opts=pulumi.ResourceOptions(depends_on=[seats, trial_ends_at]),
)

config = pulumi.Config()
eu = audience.Provider("eu", base_url=config.require("euBaseUrl"), api_key=config.require_secret("euApiKey"))
audience.Contact(
    "tester-eu",
    email="tester@example.eu",
    create_with_event={"event_name": "invited"},
    opts=pulumi.ResourceOptions(provider=eu),
)

pulumi.export("tester", tester.id)
pulumi.export("custom", [one.key for one in audience.get_contact_properties(list="custom").contact_properties])
