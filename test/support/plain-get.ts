/** Asks as it comes, and follows nothing: `await plainGet(baseUrl + path, bearer(key))`. */
export async function plainGet(address: string, headers: Record<string, string> = {}) {
  const response = await fetch(address, { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}
