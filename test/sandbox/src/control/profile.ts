import { newProfileSchema, profileSchema } from '../profile.js';
import { controlEndpoint, endpoints } from './endpoint.js';

export const profileEndpoints = endpoints('profile', {
  getProfile: controlEndpoint(
    'GET /profile',
    'Read the profile of the service',
    { response: profileSchema },
    ({ sandbox }) => sandbox.profile,
  ),
  setProfile: controlEndpoint(
    'PUT /profile',
    'Set the profile of the service; what is left out is as in its preset',
    { body: newProfileSchema, response: profileSchema },
    ({ sandbox, body }) => {
      sandbox.setProfile(body);
      return sandbox.profile;
    },
  ),
});
