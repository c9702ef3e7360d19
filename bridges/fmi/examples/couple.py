"""Couples two FMUs, a mount and a controller of its position: python couple.py mount.fmu controller.fmu"""
import sys

from steps import Unit

mount, controller = Unit(sys.argv[1]), Unit(sys.argv[2])
mount.start({})
controller.start({})
position = {v.name: v.valueReference for v in mount.outputs}["position"]
drive, force = mount.inputs[0].valueReference, controller.outputs[0].valueReference
seen = controller.inputs[0].valueReference
for k in range(4000):
    time = k * mount.step
    controller.fmu.setFloat64([seen], mount.fmu.getFloat64([position]))
    controller.fmu.doStep(time, mount.step)
    mount.fmu.setFloat64([drive], controller.fmu.getFloat64([force]))
    mount.fmu.doStep(time, mount.step)
[at] = mount.fmu.getFloat64([position])
print(f"the mount is at {1e3 * at:.6f} mm, 2 mm are wanted")
assert abs(at - 2e-3) < 1e-5
