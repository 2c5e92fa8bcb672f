import { MESSAGES, sentenceOf } from './messages.js';

test('all that the sandbox says, by code', () => {
  expect(MESSAGES).toMatchSnapshot();
});

test('values stand in the message as they are', () => {
  const sentence = sentenceOf({ code: 'no_email', id: '{code} $& {id}' });
  expect(sentence).toBe("There is no email '{code} $& {id}'. It may have been deleted.");
});
