import type { OceanCarrier } from './carriers.js'

/** Invented names in the style of each line: more than a line has ships. */

const firstWords =
  'Amber Arctic Atlas Aurora Azure Boreal Bright Bronze Cedar Clear Cobalt Copper Coral Crystal Delta Eastern Ebony Emerald Evening Fair Garnet Golden Grand Hazel Indigo Ivory Jade Juniper Laurel Linden Lunar Marble Morning Noble Northern Onyx Opal Pearl Polar Quiet Royal Ruby Sable Saffron Silver Southern Sterling Summer Swift Topaz Trade Western Willow Winter Ancient Calm Distant Grey Scarlet Velvet'.split(
    ' ',
  )
const secondWords =
  'Archer Bay Beacon Breeze Bridge Cape Carrier Channel Compass Coast Comet Courier Crane Current Dawn Dolphin Dune Eagle Falcon Fjord Gannet Gull Harbour Haven Heron Horizon Island Lagoon Lantern Mariner Meadow Merlin Meridian Moon Navigator Osprey Pilgrim Pilot Pioneer Plover Reef River Runner Sound Spirit Star Strait Summit Swan Tern Tide Trader Voyager Wave Anchor Crest Drifter Glacier Light Petrel'.split(
    ' ',
  )

export function shipName({ ships: [before, after] }: OceanCarrier, number: number): string {
  // Ships of one service get unlike names. The step has no divisor in common with the number of names.
  const place = (number * 1009) % (firstWords.length * secondWords.length)
  const [first, second] = [firstWords[place % firstWords.length], secondWords[Math.floor(place / firstWords.length)]]
  return `${before}${first} ${second}${after}`
}
