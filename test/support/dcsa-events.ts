/** Events of a container ship in the form of DCSA Track & Trace 2.2, with times of 2026. */

const shanghai = '+08:00'
export const hamburg = '+02:00'

type Said = { at: string; code: string; on: string; zone?: string; status?: 'PLN' | 'EST' | 'ACT'; issued: string }

const vessels = {
  first: { vesselIMONumber: '9321483', vesselName: 'Elbe Horizon' },
  next: { vesselIMONumber: '9454436', vesselName: 'Weser Tide' },
}

function base({ on, zone = shanghai, status = 'ACT', issued }: Said) {
  return {
    eventCreatedDateTime: `2026-${issued}:00Z`,
    eventClassifierCode: status,
    eventDateTime: `2026-${on}:00${zone}`,
  }
}

/** Of a vessel, for the containers on board or the whole booking. */
export function ofVessel(ship: keyof typeof vessels, booking: string, said: Said, containers: string[] = []) {
  return {
    ...base(said),
    eventType: 'TRANSPORT',
    transportEventTypeCode: said.code,
    transportCall: {
      modeOfTransport: 'VESSEL',
      UNLocationCode: said.at,
      exportVoyageNumber: '014W',
      vessel: vessels[ship],
    },
    documentReferences: [{ documentReferenceType: 'BKG', documentReferenceValue: booking }],
    ...(containers.length > 0 && {
      references: containers.map((referenceValue) => ({ referenceType: 'EQ', referenceValue })),
    }),
  }
}

export function ofContainer(container: string, booking: string, said: Said & { empty?: boolean; facility?: string }) {
  return {
    ...base(said),
    eventType: 'EQUIPMENT',
    equipmentEventTypeCode: said.code,
    equipmentReference: container,
    emptyIndicatorCode: said.empty ? 'EMPTY' : 'LADEN',
    ...(said.facility !== undefined && { eventLocation: { UNLocationCode: said.at, facilityTypeCode: said.facility } }),
    transportCall: { modeOfTransport: 'VESSEL', UNLocationCode: said.at, exportVoyageNumber: '014W' },
    documentReferences: [{ documentReferenceType: 'BKG', documentReferenceValue: booking }],
  }
}
