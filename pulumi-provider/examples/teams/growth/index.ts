import * as pulumi from '@pulumi/pulumi';
import { Contacts } from 'pulumi-audience';

const platform = new pulumi.StackReference(new pulumi.Config().require('platformStack'));
const types = platform.requireOutput('propertyTypes');

// Each column of the file but `email` is a property that the platform team has declared.
const campaign = new Contacts('campaign', {
  file: 'campaign.csv',
  columns: types.apply((byName) =>
    Object.fromEntries(['email', ...Object.keys(byName)].map((name) => [name, name])),
  ),
  createWithEvent: { eventName: 'campaignJoined' },
});

export const contacts = campaign.count;
