/**
 * The one spelling of an e-mail address: addresses are stored and compared like this, in JavaScript only. PostgreSQL lowers some
 * letters differently (`İ`). Normalised again at the end, so that the result does not change when it is normalised once more.
 */
export function normalizedEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase().normalize('NFKC')
}
