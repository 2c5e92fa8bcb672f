import '../../../hosts/n8n-engine/environment.cjs';
import { Expression } from 'n8n-workflow';
import { Setup } from '../support.js';
import { playAll } from './play.js';

/** A process with one of n8n's engines for expressions: it writes what came of the tables. */
async function main(engine: string | undefined): Promise<void> {
  if (engine !== 'legacy' && engine !== 'vm' && engine !== 'quickjs')
    throw new Error(`There is no engine '${engine}'.`);
  await Expression.initExpressionEngine({
    engine,
    ...{ poolSize: 1, maxCodeCacheSize: 1024, bridgeTimeout: 20_000, bridgeMemoryLimit: 128 },
  });
  const setup = new Setup();
  await setup.start();
  process.stdout.write(`\n${JSON.stringify(await playAll(setup))}\n`);
  await setup.sandbox.close();
  await Expression.disposeExpressionEngine();
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
