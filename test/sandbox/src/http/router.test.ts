import { SandboxError } from '../sandbox-error.js';
import { Router } from './router.js';

const router = new Router([
  { method: 'GET', path: '/a/{id}' },
  { method: 'PUT', path: '/a/{id}' },
  { method: 'GET', path: '/a/list' },
  { method: 'GET', path: '/a/{id}/parts' },
]);

const statusOf = (method: string, path: string) => {
  try {
    router.route(method, path);
  } catch (error) {
    if (error instanceof SandboxError) return { status: error.status, ...error.headers };
    throw error;
  }
  return { status: 200 };
};

test('a parameter is one whole segment, decoded', () => {
  expect(router.route('GET', '/a/x%40y%2Fz')).toEqual({
    endpoint: { method: 'GET', path: '/a/{id}' },
    params: { id: 'x@y/z' },
  });
  expect(router.route('GET', '/a/x/parts').endpoint.path).toBe('/a/{id}/parts');
});

test('of two paths that fit, the one without a parameter wins, for every method', () => {
  expect(router.route('GET', '/a/list').endpoint.path).toBe('/a/list');
  expect(statusOf('PUT', '/a/list')).toEqual({ status: 405, Allow: 'GET' });
});

test.each([
  ['GET', '/', { status: 404 }],
  ['GET', '/a/', { status: 404 }],
  ['GET', '/a/x/', { status: 404 }],
  ['DELETE', '/a/x', { status: 405, Allow: 'GET, PUT' }],
  ['GET', '/a/%E0%A4', { status: 400 }],
])('%s %s is refused', (method, path, expected) => {
  expect(statusOf(method, path)).toEqual(expected);
});
