/** Request header of a caller that unpacks answers itself, and the type of an answer that is packed. */
export const packedHeader = "x-accept-packed";
export const packedType = "application/gzip";

/** The JSON of a response, unpacked where it is packed. */
export async function readAnswer(response: Response): Promise<unknown> {
  if (response.headers.get("content-type") !== packedType || !response.body) return response.json();
  return new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).json();
}
