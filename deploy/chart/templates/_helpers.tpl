{{- define "waybill.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "waybill.selector" -}}
app.kubernetes.io/name: waybill
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "waybill.labels" -}}
{{ include "waybill.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "waybill.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
{{- end -}}

{{- define "waybill.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "waybill.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "waybill.environment" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ required "database.existingSecret: name a secret with the address of PostgreSQL" .Values.database.existingSecret }}
      key: {{ .Values.database.key }}
- name: WAYBILL_WAIT_FOR_DATABASE
  value: "60"
{{- if .Values.documents.existingSecret }}
- name: WAYBILL_DOCUMENTS
  valueFrom:
    secretKeyRef:
      name: {{ .Values.documents.existingSecret }}
      key: {{ .Values.documents.key }}
{{- end }}
{{- if .Values.publicUrl }}
- name: WAYBILL_PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
{{- end }}
{{- if .Values.trustedProxies }}
- name: WAYBILL_TRUSTED_PROXIES
  value: {{ .Values.trustedProxies | quote }}
{{- end }}
{{- if .Values.operators.separatePort }}
- name: WAYBILL_OPS_PORT
  value: "4011"
- name: WAYBILL_OPS_HOST
  value: "0.0.0.0"
{{- end }}
{{- with include "waybill.officeUrl" . }}
- name: WAYBILL_OFFICE_URL
  value: {{ . | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "waybill.environmentFrom" -}}
{{- range .Values.existingSecrets }}
- secretRef:
    name: {{ . }}
{{- end }}
{{- end -}}

{{- /* Not empty if there is a volume that only one process can use. */ -}}
{{- define "waybill.exclusiveVolume" -}}
{{- if and .Values.documents.volume.enabled (ne .Values.documents.volume.accessMode "ReadWriteMany") -}}
true
{{- end -}}
{{- end -}}

{{- /* Documents in the folder of a container are lost with it, and other processes do not see them. */ -}}
{{- define "waybill.checkDocuments" -}}
{{- if not (or .Values.documents.existingSecret .Values.documents.volume.enabled (hasKey .Values.settings "WAYBILL_DOCUMENTS")) -}}
{{- fail "documents.existingSecret: name a secret with the address of a bucket, or enable documents.volume" -}}
{{- end -}}
{{- if and (include "waybill.exclusiveVolume" .) (or (gt (int .Values.replicas) 1) .Values.autoscaling.enabled) -}}
{{- fail "documents.volume: several replicas need a bucket (documents.existingSecret) or documents.volume.accessMode ReadWriteMany" -}}
{{- end -}}
{{- end -}}

{{- define "waybill.officeUrl" -}}
{{- with .Values.operators -}}
{{- if .url -}}
{{ .url }}
{{- else if .ingress.enabled -}}
https://{{ .ingress.host }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Where pods run: of the service, and of the job before it. */ -}}
{{- define "waybill.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* The whole of an ingress. Arguments: root, ingress (values), name and port of the service. */ -}}
{{- define "waybill.ingress" -}}
{{- /* ingress-nginx would refuse documents above 1 MB, and close streams of events after a minute without one. */ -}}
{{- $usual := dict "nginx.ingress.kubernetes.io/proxy-body-size" "110m" "nginx.ingress.kubernetes.io/proxy-read-timeout" "120" -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ .name }}
  labels:
    {{- include "waybill.labels" .root | nindent 4 }}
  annotations:
    {{- toYaml (merge (dict) .ingress.annotations $usual) | nindent 4 }}
spec:
  {{- if .ingress.className }}
  ingressClassName: {{ .ingress.className }}
  {{- end }}
  {{- if .ingress.tlsSecret }}
  tls:
    - hosts: [{{ .ingress.host | quote }}]
      secretName: {{ .ingress.tlsSecret }}
  {{- end }}
  rules:
    - host: {{ .ingress.host | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{ .name }}
                port:
                  name: {{ .port }}
{{- end -}}
