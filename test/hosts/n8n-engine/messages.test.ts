import { OF_RUN, WAYS_OUT } from '../../../n8n-nodes/nodes/Audience/messages/run.js';
import { FORMS, NOTES, PROBLEMS } from '../../../n8n-nodes/nodes/Audience/messages/problems.js';

test.each(Object.entries({ PROBLEMS, FORMS, NOTES, WAYS_OUT, OF_RUN }))(
  'the catalogue of the node: %s',
  (_name, words) => {
    const lines = Object.entries(words).map(([code, texts]: [string, string | object]) => {
      const all: readonly unknown[] = typeof texts === 'string' ? [texts] : Object.values(texts);
      return `${code}: ${all.join('. ')}`;
    });
    expect(lines.join('\n')).toMatchSnapshot();
  },
);
