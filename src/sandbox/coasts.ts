/** Ports that the same ship calls at one after the other. */

const coasts: readonly (readonly string[])[] = [
  ['JP/YOK', 'JP/UKB', 'KR/PUS'],
  ['CN/TXG', 'CN/TAO'],
  ['CN/SHA', 'CN/NGB'],
  ['TW/KEL', 'CN/XMG', 'TW/KHH'],
  ['CN/YTN', 'CN/NSA', 'HK/HKG'],
  ['VN/HPH', 'VN/CMT', 'TH/LCH'],
  ['PH/MNL'],
  ['ID/JKT', 'SG/SIN', 'MY/PKG', 'MY/PEN'],
  ['BD/CGP', 'IN/MAA'],
  ['LK/CMB', 'IN/NSA', 'IN/MUN'],
  ['AE/JEA', 'QA/HMD', 'KW/SWK'],
  ['OM/SLL'],
  ['KE/MBA'],
  ['ZA/DUR'],
  ['EG/PSD', 'GR/PIR', 'TR/AMR'],
  ['MT/MAR', 'IT/GIT', 'TN/RDS', 'SI/KOP'],
  ['IT/GOA', 'FR/FOS', 'ES/BCN', 'ES/VLC'],
  ['ES/ALG', 'MA/PTM', 'MA/CAS', 'PT/LIS'],
  ['FR/LEH', 'GB/LGP', 'GB/FXT', 'BE/ANR', 'NL/RTM'],
  ['DE/BRV', 'DE/HAM'],
  ['NO/OSL', 'SE/GOT', 'DK/AAR'],
  ['PL/GDN'],
  ['CI/ABJ'],
  ['BR/SSZ'],
  ['CL/SAI'],
  ['EC/GYE'],
  ['PA/MIT', 'CO/CTG'],
  ['PA/BLB'],
  ['MX/VER', 'US/HOU'],
  ['MX/LZC'],
  ['US/LAX', 'US/OAK', 'CA/VAN'],
  ['US/SAV', 'US/NYC', 'CA/HAL'],
  ['AU/MEL', 'AU/SYD'],
  ['NZ/AKL'],
  ['NC/NOU'],
  ['PF/PPT'],
]

export const coastCount = coasts.length
const coastOfPort = new Map(coasts.flatMap((ports, coast) => ports.map((port) => [port, coast] as const)))

export function coastOf(port: string): number {
  const coast = coastOfPort.get(port)
  if (coast === undefined) throw new Error(`No ship of the sandbox calls at ${port}`)
  return coast
}

export function portsOf(coast: number): readonly string[] {
  return coasts[coast] ?? []
}
