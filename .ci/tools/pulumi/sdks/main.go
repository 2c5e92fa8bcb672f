// Generates the SDKs for Python and Go from the plugin's schema: main SCHEMA FOLDER. The CLI does the same with the
// hosts of these languages, which no module proxy serves.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// noOthers loads no other package: the schema refers to none.
type noOthers struct{ schema.ReferenceLoader }

// fail says what went wrong. Pulumi's packages silence the log.
func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func must[T any](value T, err error) T {
	if err != nil {
		fail(err)
	}
	return value
}

// bind reads the schema anew: a generator changes what it is given.
func bind(file string) *schema.Package {
	var spec schema.PackageSpec
	if err := json.Unmarshal(must(os.ReadFile(file)), &spec); err != nil {
		fail(err)
	}
	pkg, diagnostics, err := schema.BindSpec(spec, noOthers{}, schema.ValidationOptions{})
	if err == nil && diagnostics.HasErrors() {
		err = diagnostics
	}
	return must(pkg, err)
}

func write(folder string, files map[string][]byte) {
	for name, text := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			fail(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			fail(err)
		}
	}
}

func main() {
	file, folder := os.Args[1], os.Args[2]
	write(filepath.Join(folder, "python"), must(python.GeneratePackage("pulumi", bind(file), nil, noOthers{})))
	write(filepath.Join(folder, "go"), must(gogen.GeneratePackage("pulumi", bind(file), nil)))
}
