/** What sea-ports has wrong or misses, for the ports we use: [longitude, latitude] of the terminals, and zones. */

type Override = { coordinates?: readonly [longitude: number, latitude: number]; timeZone?: string }

export const portOverrides: Record<string, Override> = {
  // 740 km off, in Fujian.
  'CN/YTN': { coordinates: [114.273, 22.575] },
  // Missing.
  'CN/XMG': { coordinates: [118.073, 24.455], timeZone: 'Asia/Shanghai' },
  'VN/CMT': { coordinates: [107.03, 10.535], timeZone: 'Asia/Ho_Chi_Minh' },
  'QA/HMD': { coordinates: [51.62, 25.005], timeZone: 'Asia/Qatar' },
  'MX/LZC': { coordinates: [-102.165, 17.935], timeZone: 'America/Mexico_City' },
  'TR/AMR': { coordinates: [28.683, 40.967], timeZone: 'Europe/Istanbul' },
  // The centre of the city, far from where ships call.
  'CN/SHA': { coordinates: [121.8, 31.35] },
  'CN/NGB': { coordinates: [121.88, 29.94] },
  'AR/BUE': { coordinates: [-58.365, -34.575], timeZone: 'America/Argentina/Buenos_Aires' },
  'US/LAX': { coordinates: [-118.265, 33.735] },
  'US/HOU': { coordinates: [-95.0, 29.68] },
  'MA/PTM': { coordinates: [-5.5, 35.885] },
  'JP/TYO': { coordinates: [139.79, 35.615] },
  // On the wrong ocean.
  'PA/MIT': { coordinates: [-79.883, 9.36] },
  // Zones that are wrong, or names that the tz database keeps only for the past.
  'US/OAK': { timeZone: 'America/Los_Angeles' },
  'AU/MEL': { timeZone: 'Australia/Melbourne' },
  'MX/VER': { timeZone: 'America/Mexico_City' },
  'BR/SUA': { timeZone: 'America/Recife' },
  'IN/NSA': { timeZone: 'Asia/Kolkata' },
  'IN/MUN': { timeZone: 'Asia/Kolkata' },
  'IN/MAA': { timeZone: 'Asia/Kolkata' },
  'VN/HPH': { timeZone: 'Asia/Ho_Chi_Minh' },
}
