// Writes what each package offers at its main entry point, as its types say, to PACKAGE/api/NAME.api.md, so that a review
// sees a change of it. With --check it fails where a report is not what the built package offers.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import apiExtractor from '@microsoft/api-extractor';

const { Extractor, ExtractorConfig } = apiExtractor;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGES = ['shared', 'pulumi-provider', 'test/sandbox'];
const check = process.argv.includes('--check');

let failed = 0;
for (const directory of PACKAGES) {
  const folder = resolve(ROOT, directory);
  if (!check) rmSync(join(folder, 'api'), { recursive: true, force: true });
  mkdirSync(join(folder, 'api'), { recursive: true });
  const { name, types } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const config = ExtractorConfig.prepare({
    configObjectFullPath: join(folder, 'api-extractor.json'),
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, types),
      compiler: { tsconfigFilePath: join(folder, 'tsconfig.json') },
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder: join(folder, 'api'),
        reportTempFolder: join(ROOT, 'artifacts', 'api'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: 'none' } },
        extractorMessageReporting: { default: { logLevel: 'none' } },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
  });
  const { apiReportChanged } = Extractor.invoke(config, { localBuild: !check, messageCallback: quiet });
  if (!apiReportChanged || !check) continue;
  failed += 1;
  console.error(`${directory}/api/${name}.api.md is not what the package offers: run 'npm run api'.`);
}
process.exitCode = failed === 0 ? 0 : 1;

function quiet(message) {
  if (message.logLevel !== 'error') message.handled = true;
}
