/** The server that `serve.mjs` compares with: node:http alone, an answer of some 40 bytes. */
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

const BODY = JSON.stringify({ tags: ['spring', 'sensors', 'tag-12345'] });

function answer(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': BODY.length,
    });
    response.end(BODY);
  });
}

process.on('message', ({ isTls, certificates }) => {
  const server = isTls ? createTlsServer(certificates, answer) : createServer(answer);
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    process.send({ url: `${isTls ? 'https' : 'http'}://127.0.0.1:${port}` });
  });
});
process.on('disconnect', () => process.exit());
