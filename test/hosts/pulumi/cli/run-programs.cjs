// Runs programs in JavaScript for the CLI (`--client`), one after the other in one process: loading Pulumi takes longer
// than such a program. The folder of each is its working directory, as where a person runs `pulumi up`.
const path = require('node:path');
const grpc = require('@grpc/grpc-js');
const { LanguageServer } = require('@pulumi/pulumi/automation/server');
const { LanguageRuntimeService } = require('@pulumi/pulumi/proto/language_grpc_pb');

class Host extends LanguageServer {
  run(call, done) {
    process.chdir(call.request.getPwd());
    return super.run(call, done);
  }
}

function program() {
  const folder = process.cwd();
  // What a program declares begins anew with each run.
  for (const file of Object.keys(require.cache)) if (file.startsWith(folder)) delete require.cache[file];
  return require(path.join(folder, 'index.js'));
}

const server = new grpc.Server({ 'grpc.max_receive_message_length': -1 });
server.addService(LanguageRuntimeService, new Host(async () => program()));
server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
});
// A program that failed may reject again after its run. Without a listener that ends the process, and the CLI loses the
// response of the run.
process.on('unhandledRejection', (error) => {
  if (process.listenerCount('unhandledRejection') === 1) console.error(error);
});
// Ends with the process that started it, however that ended.
process.stdin.resume().once('end', () => process.exit());
