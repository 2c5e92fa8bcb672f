const BLOCKS =
  'address,article,blockquote,div,dl,dt,dd,fieldset,footer,form,h1,h2,h3,h4,h5,h6,header,hr,li,main,ol,p,pre,section,table,tr,ul';
const UNSEEN = 'script,style,head,template,noscript';

/** An email's body as a reader without HTML has it: paragraphs, lists, and where links lead. */
export function emailText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return textOf(body)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function textOf(node: Node): string {
  if (node instanceof Text) return node.data.replace(/\s+/g, ' ');
  if (!(node instanceof Element) || node.matches(UNSEEN)) return '';
  if (node.matches('br')) return '\n';
  if (node.matches('img')) return node.getAttribute('alt') ?? '';
  const inner = [...node.childNodes].map(textOf).join('');
  if (node.matches('a[href]')) {
    const target = node.getAttribute('href') ?? '';
    return inner.trim() === target ? inner : `${inner} (${target})`;
  }
  if (node.matches('td,th')) return `${inner} `;
  if (node.matches('li')) return `\n- ${inner.trim()}`;
  return node.matches(BLOCKS) ? `\n\n${inner.trim()}\n\n` : inner;
}
