import * as pulumi from '@pulumi/pulumi';
import { Contacts } from 'pulumi-audience';

const platform = new pulumi.StackReference(new pulumi.Config().require('platformStack'));

// The file may have other columns: only those that the platform team has declared are read.
const campaign = new Contacts('campaign', {
  file: 'campaign.csv',
  columns: platform.requireOutput('columns'),
  consent: 'mail',
  createWithEvent: { eventName: 'campaignJoined' },
});

export const contacts = campaign.count;
