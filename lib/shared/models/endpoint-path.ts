/** Endpoints that people copy with an address: what vendors print is often the whole of it. */
const endpoint =
  /\/+(?:chat\/+completions|completions|responses|embeddings|models|messages|api\/+(?:tags|chat|generate))$/i

/** The path of an address without the endpoint and the slashes at its end; `isCut`: an endpoint stood there. */
export function withoutEndpoint(pathname: string): { readonly path: string; readonly isCut: boolean } {
  const whole = pathname.replace(/\/+$/, '')
  const path = whole.replace(endpoint, '').replace(/\/+$/, '')
  return { path, isCut: path !== whole }
}
