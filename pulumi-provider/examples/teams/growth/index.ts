import * as pulumi from '@pulumi/pulumi';
import { Contacts } from 'pulumi-audience';

const platform = new pulumi.StackReference(new pulumi.Config().require('platformStack'));

// The columns of the file get the types that the platform team has declared.
const campaign = new Contacts('campaign', {
  file: 'campaign.csv',
  propertyTypes: platform.requireOutput('propertyTypes'),
  createWithEvent: { eventName: 'campaignJoined' },
});

export const contacts = campaign.count;
