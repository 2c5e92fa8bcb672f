import { newProfileSchema, profileSchema } from '../profile.js';
import { controlEndpoint } from './endpoint.js';

const tag = 'profile';

export const getProfile = controlEndpoint(
  {
    operationId: 'getProfile',
    method: 'GET',
    path: '/profile',
    tag,
    summary: 'Read the profile of the service',
    response: profileSchema,
  },
  ({ sandbox }) => sandbox.profile,
);

export const setProfile = controlEndpoint(
  {
    operationId: 'setProfile',
    method: 'PUT',
    path: '/profile',
    tag,
    summary: 'Set the profile of the service; what is left out is as in its preset',
    body: newProfileSchema,
    response: profileSchema,
  },
  ({ sandbox, body }) => {
    sandbox.setProfile(body);
    return sandbox.profile;
  },
);
