// A contact property and a contact that has it. `pulumi package add audience` makes the package that is imported.
package main

import (
	"github.com/audience-dev/audience/sdk/go/audience"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		seats, err := audience.NewContactProperty(ctx, "seats", &audience.ContactPropertyArgs{
			Name: pulumi.String("seats"),
			Type: audience.PropertyTypeNumber,
		})
		if err != nil {
			return err
		}
		tester, err := audience.NewContact(ctx, "tester", &audience.ContactArgs{
			Email:           pulumi.String("tester@example.com"),
			FirstName:       pulumi.String("Tess"),
			Properties:      pulumi.Map{"seats": pulumi.Float64(3)},
			CreateWithEvent: &audience.CreationEventArgs{EventName: pulumi.String("invited")},
		}, pulumi.DependsOn([]pulumi.Resource{seats}))
		if err != nil {
			return err
		}
		ctx.Export("tester", tester.ID())
		return nil
	})
}
