// Renders the chart as `helm template` would, where Helm is not installed: chart folder and values file as arguments.
// Without hooks, subcharts, `lookup` and `tpl`, which the chart does not use.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

type object = map[string]interface{}

func main() {
	if err := render(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(folder, valuesFile string) error {
	var values, chart object
	for path, target := range map[string]*object{valuesFile: &values, filepath.Join(folder, "Chart.yaml"): &chart} {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := yaml.Unmarshal(text, target); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	fields := object{}
	for name, value := range chart {
		fields[strings.ToUpper(name[:1])+name[1:]] = value
	}
	templates := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := templates.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	files, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := templates.New(file).Funcs(functions).Parse(string(text)); err != nil {
			return err
		}
	}
	release := object{"Name": "release", "Namespace": "default", "Service": "Helm", "IsInstall": true, "Revision": 1}
	version := object{"KubeVersion": object{"Version": "v1.32.0"}}
	data := object{"Values": values, "Chart": fields, "Release": release, "Capabilities": version}
	for _, file := range files {
		if !strings.HasSuffix(file, ".yaml") {
			continue
		}
		var text bytes.Buffer
		if err := templates.ExecuteTemplate(&text, file, data); err != nil {
			return err
		}
		if strings.TrimSpace(text.String()) != "" {
			fmt.Printf("---\n%s\n", text.String())
		}
	}
	return nil
}
