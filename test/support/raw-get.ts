/** A GET that follows no redirects: `await rawGet(baseUrl + path, bearer(key))`. */
export async function rawGet(address: string, headers: Record<string, string> = {}) {
  const response = await fetch(address, { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}
