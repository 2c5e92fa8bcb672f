/** The body that a design gets which was declared without one: its name, and each of its variables. */
export function defaultBody(name: string, dataVariables: readonly string[]): string {
  const rows = dataVariables
    .map((variable) => `<tr><th align="left">${escapeHtml(variable)}</th><td>{{${variable}}}</td></tr>`)
    .join('');
  return `<h1>${escapeHtml(name)}</h1>${rows === '' ? '' : `<table cellpadding="6">${rows}</table>`}`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replace(/\{/g, '&#123;');
}
