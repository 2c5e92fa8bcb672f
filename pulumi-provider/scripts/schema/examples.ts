/** A program in each language. */
export type Programs = Readonly<Record<'typescript' | 'python' | 'go' | 'yaml', string>>;

/** Examples of the resources, by name; `goPackage` is the import path in Go. */
export const examples = (
  goPackage: string,
): Readonly<Record<'contactProperty' | 'contact' | 'contacts', Programs>> => ({
  contactProperty: {
    typescript: `
import * as audience from "@pulumi/audience";

const seats = new audience.ContactProperty("seats", {
    name: "seats",
    type: audience.PropertyType.Number,
});`,
    python: `
import pulumi_audience as audience

seats = audience.ContactProperty("seats",
    name="seats",
    type=audience.PropertyType.NUMBER)`,
    go: `
package main

import (
	"${goPackage}"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := audience.NewContactProperty(ctx, "seats", &audience.ContactPropertyArgs{
			Name: pulumi.String("seats"),
			Type: audience.PropertyTypeNumber,
		})
		return err
	})
}`,
    yaml: `
resources:
  seats:
    type: audience:ContactProperty
    properties:
      name: seats
      type: number`,
  },
  contact: {
    typescript: `
import * as audience from "@pulumi/audience";

const ada = new audience.Contact("ada", {
    email: "ada@example.com",
    firstName: "Ada",
    properties: { seats: 3, trialEndsAt: "2027-01-31" },
    createWithEvent: { eventName: "invited" },
});`,
    python: `
import pulumi_audience as audience

ada = audience.Contact("ada",
    email="ada@example.com",
    first_name="Ada",
    properties={"seats": 3, "trialEndsAt": "2027-01-31"},
    create_with_event={"event_name": "invited"})`,
    go: `
package main

import (
	"${goPackage}"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := audience.NewContact(ctx, "ada", &audience.ContactArgs{
			Email:     pulumi.String("ada@example.com"),
			FirstName: pulumi.String("Ada"),
			Properties: pulumi.Map{
				"seats":       pulumi.Float64(3),
				"trialEndsAt": pulumi.String("2027-01-31"),
			},
			CreateWithEvent: &audience.CreationEventArgs{EventName: pulumi.String("invited")},
		})
		return err
	})
}`,
    yaml: `
resources:
  ada:
    type: audience:Contact
    properties:
      email: ada@example.com
      firstName: Ada
      properties:
        seats: 3
        trialEndsAt: "2027-01-31"
      createWithEvent:
        eventName: invited`,
  },
  contacts: {
    typescript: `
import * as audience from "@pulumi/audience";

const customers = new audience.Contacts("customers", {
    file: "customers.csv",
    consent: { Status: { active: "mail", left: "no mail" } },
    createWithEvent: { eventName: "imported" },
});`,
    python: `
import pulumi_audience as audience

customers = audience.Contacts("customers",
    file="customers.csv",
    consent={"Status": {"active": "mail", "left": "no mail"}},
    create_with_event={"event_name": "imported"})`,
    go: `
package main

import (
	"${goPackage}"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := audience.NewContacts(ctx, "customers", &audience.ContactsArgs{
			File: pulumi.String("customers.csv"),
			Consent: pulumi.StringMapMap{
				"Status": pulumi.StringMap{"active": pulumi.String("mail"), "left": pulumi.String("no mail")},
			},
			CreateWithEvent: &audience.CreationEventArgs{EventName: pulumi.String("imported")},
		})
		return err
	})
}`,
    yaml: `
resources:
  customers:
    type: audience:Contacts
    properties:
      file: customers.csv
      consent:
        "Status": { "active": mail, "left": no mail }
      createWithEvent:
        eventName: imported`,
  },
});
