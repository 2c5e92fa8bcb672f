import { PROBLEMS } from '../../../n8n-nodes/nodes/Audience/messages/problems.js';

test('the catalogue of the node', () => {
  const lines = Object.entries(PROBLEMS).map(([code, [what, wayOut]]) => `${code}: ${what}. ${wayOut}`);
  expect(lines.join('\n')).toMatchSnapshot();
});
