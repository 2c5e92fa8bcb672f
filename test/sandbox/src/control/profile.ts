import { newProfileSchema } from '../profile.js';
import { controlEndpoint } from './endpoint.js';

export const profileEndpoints = [
  controlEndpoint('GET /profile', {}, ({ sandbox }) => sandbox.profile),
  controlEndpoint('PUT /profile', { body: newProfileSchema }, ({ sandbox, body }) => {
    sandbox.setProfile(body);
    return sandbox.profile;
  }),
];
