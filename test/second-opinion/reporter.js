const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** Tells at the end of a jest run how many requests of each program were checked; setup.ts counts them. */
module.exports = class CheckedRequests {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'audience-checked-'));
    this.file = join(this.folder, 'counts');
    writeFileSync(this.file, '');
    process.env.AUDIENCE_CHECKED_REQUESTS = this.file;
  }

  onRunComplete() {
    const totals = new Map();
    for (const [, agent, count] of readFileSync(this.file, 'utf8').matchAll(/^(\S+) (\d+)$/gm)) {
      totals.set(agent, (totals.get(agent) ?? 0) + Number(count));
    }
    rmSync(this.folder, { recursive: true });
    if (totals.size === 0) return;
    const parts = [...totals].sort().map(([agent, count]) => `${count} of ${agent}`);
    process.stdout.write(`\nRequests checked by the second opinion: ${parts.join(', ')}\n`);
  }
};
